// Index 2; within the constraint x1 decays at about L / 11. Solution x1 = sin t, x2 = cos t, z = sin 2t.
model StiffBesideConstraint
  parameter Real L = 1e6;
  Real x1(start = 0, fixed = true), x2(start = 1, fixed = true), z;
equation
  der(x1) = -L*(x1 - sin(time)) + cos(time) + z - sin(2*time);
  der(x2) = -x2 + z - sin(2*time) + cos(time) - sin(time);
  x1 + 0.1*x2 = sin(time) + 0.1*cos(time);
  annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-8));
end StiffBesideConstraint;
