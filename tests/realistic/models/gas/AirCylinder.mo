model AirCylinder "pneumatic cylinder of 32 mm that pushes 8 kg against a soft stop; pressures in bar, flows by a smooth law"
  parameter Real A1 = 8.04e-4, A2 = 6.9e-4, s = 0.2, V0 = 5e-6, C = 1.2e-8 "kg/(s.Pa)", RT = 287*293, m = 8, n = 1.3;
  Real p1(start = 1, fixed = true) "bar", p2(start = 6, fixed = true),
    x(nominal = 0.1, start = 0, fixed = true), v(nominal = 0.1, start = 0, fixed = true);
  Real m1(nominal = 1e-3), m2(nominal = 1e-3), F, Fs;
equation
  m1 = C*1e5*(6 - p1)*sqrt((6 + p1)/(sqrt((6 - p1)^2 + 0.01) + 0.5))/4;
  m2 = C*1e5*(p2 - 1)*sqrt((p2 + 1)/(sqrt((p2 - 1)^2 + 0.01) + 0.5))/4;
  (V0 + A1*x)*1e5*der(p1) = n*(RT*m1 - p1*1e5*A1*v);
  (V0 + A2*(s - x))*1e5*der(p2) = n*(-RT*m2 + p2*1e5*A2*v);
  F = 1e5*(p1*A1 - p2*A2 - 1*(A1 - A2));
  Fs = 3e5*1e-4*(log(1 + exp((x - s)/1e-4)) - log(1 + exp(-x/1e-4)));
  der(x) = v;
  m*der(v) = F - Fs - 60*v;
  annotation(experiment(StopTime = 0.8));
end AirCylinder;
