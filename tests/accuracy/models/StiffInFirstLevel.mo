// Index 2: the equation of z is differentiated for der(z), and the stiff one with it. Solution
// x = sin t, y = cos t, z = sin 2t.
model StiffInFirstLevel
  parameter Real L = 1e6;
  Real x(start = 0, fixed = true), y(start = 1, fixed = true), z;
equation
  der(x) = -L*(x - sin(time)) + cos(time);
  der(y) + der(z) = -y - sin(time) + cos(time) + 2*cos(2*time);
  z + der(x) = cos(time) + sin(2*time);
  annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-8));
end StiffInFirstLevel;
