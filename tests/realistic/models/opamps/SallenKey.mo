model SallenKey "low-pass filter around an ideal op-amp: it has two equal inputs and no equation for its output"
  parameter Real R1 = 8.2e3, R2 = 12e3, C1 = 4.7e-9, C2 = 2.2e-9, Ra = 10e3, Rb = 5.9e3;
  Real vin = 1 + tanh((time - 5e-5)/1e-6), a, p, n, vo, io;
  Real u1(start = 0, fixed = true), u2(start = 0, fixed = true);
equation
  (vin - a)/R1 = (a - p)/R2 + C1*der(u1);
  u1 = a - vo;
  (a - p)/R2 = C2*der(u2);
  u2 = p;
  p = n;
  n/Ra = (vo - n)/Rb;
  io = n/Ra - C1*der(u1);
  annotation(experiment(StopTime = 5e-4));
end SallenKey;
