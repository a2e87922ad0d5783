model SwingingDummy "the swinging pendulum with y and its velocity chosen as states once for all, index 1"
  parameter Real g = 9.81;
  Real y(start = 0, fixed = true), vy(start = 0, fixed = true);
  Real x(start = -1), vx(start = 0), ax, ay, F(start = 0);
equation
  der(y) = vy;
  der(vy) = ay;
  ax = -F*x;
  ay = -F*y - g;
  x^2 + y^2 = 1;
  x*vx + y*vy = 0;
  vx^2 + vy^2 + x*ax + y*ay = 0;
  annotation(experiment(StopTime = 10));
end SwingingDummy;
