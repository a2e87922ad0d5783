model Brusselator "chemical oscillator, the rates as variables"
  parameter Real A = 1, B = 3.6;
  Real X(start = 1.2, fixed = true), Y(start = 3.1, fixed = true), r[4];
equation
  r = {A, X^2*Y, B*X, X};
  der(X) = r[1] + r[2] - r[3] - r[4];
  der(Y) = r[3] - r[2];
  annotation(experiment(StopTime = 30));
end Brusselator;
