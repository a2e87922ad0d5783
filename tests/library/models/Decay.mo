model Decay "is what the test itself is tested with"
  Real x(start = 1, fixed = true), error_x = x - exp(-time);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 3));
end Decay;
