model Pulse "a filter at rest, and after seven of ten seconds a pulse of a tenth of a second"
  parameter Real L = 1e-3, C = 1e-6, R = 50;
  Real u = 5*exp(-((time - 7)/0.03)^2), v(start = 0, fixed = true), i(nominal = 0.1, start = 0, fixed = true),
    q(nominal = 0.005, start = 0, fixed = true);
equation
  L*der(i) = u - v;
  C*der(v) = i - v/R;
  der(q) = v/R - 0.1*q;
  annotation(experiment(StopTime = 10));
end Pulse;
