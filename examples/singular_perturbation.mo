model SingularPerturbation "fast and slow: with eps -> 0 the second equation becomes algebraic"
  parameter Real eps = 1e-6;
  Real y(start = 1, fixed = true), z(start = 2, fixed = true);
equation
  der(y) = -y + z;
  eps*der(z) = -z*(1 + z^2)/2 + cos(y);
  annotation(experiment(StopTime = 2));
end SingularPerturbation;
