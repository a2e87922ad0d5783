model SwingingGgl "the swinging pendulum after Gear, Gupta and Leimkuhler: both constraints, index 2"
  parameter Real g = 9.81;
  Real x(start = -1), y(start = 0, fixed = true), vx(start = 0), vy(start = 0, fixed = true);
  Real F, mu;
equation
  der(x) = vx - mu*x;
  der(y) = vy - mu*y;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = 1;
  x*vx + y*vy = 0;
  annotation(experiment(StopTime = 10));
end SwingingGgl;
