model TurningGgl "the turning pendulum after Gear, Gupta and Leimkuhler: both constraints, index 2"
  parameter Real g = 9.81;
  Real x(start = 0), y(start = -1, fixed = true), vx(start = 7, fixed = true), vy(start = 0);
  Real F, mu;
equation
  der(x) = vx - mu*x;
  der(y) = vy - mu*y;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = 1;
  x*vx + y*vy = 0;
  annotation(experiment(StopTime = 10));
end TurningGgl;
