model Rectifier "half-wave rectifier: one diode, a smoothing capacitor and its load"
  parameter Real R(unit = "Ohm") = 10, RL(unit = "Ohm") = 500, C(unit = "F") = 470e-6;
  parameter Real Is(unit = "A") = 1e-9, Vt(unit = "V") = 0.05;
  Real vs(unit = "V") = 325*sin(100*3.141592653589793*time) "mains";
  Real vd(unit = "V");
  Real i(unit = "A");
  Real vc(unit = "V", start = 0, fixed = true);
equation
  vs = R*i + vd + vc;
  i = Is*(exp(vd/Vt) - 1);
  C*der(vc) = i - vc/RL;
  annotation(experiment(StopTime = 0.2));
end Rectifier;
