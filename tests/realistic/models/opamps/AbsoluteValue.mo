model AbsoluteValue "precision rectifier: amplifier of gain 1e5 and 1 MHz, the diode inside its loop"
  constant Real pi = 3.141592653589793;
  parameter Real R = 10e3, Is = 2.5e-9, Vt = 0.047, A = 1e5, wt = 2*pi*1e6;
  Real vin = 0.5*sin(2*pi*1000*time), vm, va(start = 0, fixed = true), vo, i1, i2;
equation
  (vin - vm)/R = (vm - vo)/R + i2;
  i1 = Is*(exp((vo - va)/Vt) - 1) "from the output into the amplifier";
  i2 = -Is*(exp((va - vm)/Vt) - 1);
  (vm - vo)/R = i1;
  der(va) = -wt*vm - wt/A*va;
  annotation(experiment(StopTime = 2e-3));
end AbsoluteValue;
