model Drained "a tank that its outlet keeps all but empty, filled for a while"
  Real h(start = 0.05, fixed = true), q, y(start = 0, fixed = true);
equation
  der(h) = 1e-4 + 1.7*exp(-((time - 1)/0.08)^2) - q;
  q = 9*sqrt(max(h, 0));
  der(y) = q;
  annotation(experiment(StopTime = 4));
end Drained;
