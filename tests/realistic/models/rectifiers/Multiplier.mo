model Multiplier "Cockcroft-Walton cascade of two stages, 10 kHz"
  parameter Real R(unit = "Ohm") = 50, RL(unit = "Ohm") = 1e6, C(unit = "F") = 10e-9;
  parameter Real Is = 2.5e-9, Vt = 0.045, U = 100, f = 10e3;
  Real u = U*sin(2*3.141592653589793*f*time);
  Real c1(start = 0, fixed = true), c2(start = 0, fixed = true);
  Real c3(start = 0, fixed = true), c4(start = 0, fixed = true);
  Real i, a1, a2 "nodes of the pumped column", b1, b2 "nodes of the smoothing column";
  Real d1, d2, d3, d4 "currents of the diodes";
equation
  u - R*i - a1 = c1;
  a1 - a2 = c3;
  b1 = c2;
  b2 - b1 = c4;
  d1 = Is*(exp(-a1/Vt) - 1);
  d2 = Is*(exp((a1 - b1)/Vt) - 1);
  d3 = Is*(exp((b1 - a2)/Vt) - 1);
  d4 = Is*(exp((a2 - b2)/Vt) - 1);
  C*der(c1) = i;
  C*der(c3) = i + d1 - d2;
  C*der(c3) + d3 = d4;
  C*der(c4) = d4 - b2/RL;
  C*der(c2) = d2 - d3 + C*der(c4);
  annotation(experiment(StopTime = 1e-3));
end Multiplier;
