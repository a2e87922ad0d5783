model Bridge "full-wave rectifier of four diodes behind a transformer of 12 V"
  parameter Real R = 0.8 "winding, Ohm", RL = 47 "Ohm", C = 2200e-6 "F";
  parameter Real Is = 1e-10 "A", Vt = 0.0465 "V", G = 1e-9 "leakage, S";
  constant Real pi = 3.141592653589793;
  Real a, b, p(start = 0, fixed = true) "nodes; the negative rail is ground";
  Real is, i1, i2, i3, i4;
equation
  a - b + R*is = 17*sin(2*pi*50*time);
  is + i3 = i1;
  i2 + is = i4;
  i1 = Is*(exp((a - p)/Vt) - 1) + G*(a - p);
  i2 = Is*(exp((b - p)/Vt) - 1) + G*(b - p);
  i3 = Is*(exp(-a/Vt) - 1) + G*(-a);
  i4 = Is*(exp(-b/Vt) - 1) + G*(-b);
  C*der(p) = i1 + i2 - p/RL;
  annotation(experiment(StopTime = 0.06));
end Bridge;
