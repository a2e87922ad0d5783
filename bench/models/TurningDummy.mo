model TurningDummy "the turning pendulum with x and its velocity chosen as states once for all, index 1"
  parameter Real g = 9.81;
  Real x(start = 0, fixed = true), vx(start = 7, fixed = true);
  Real y(start = -1), vy(start = 0), ax, ay, F(start = 58.81);
equation
  der(x) = vx;
  der(vx) = ax;
  ax = -F*x;
  ay = -F*y - g;
  x^2 + y^2 = 1;
  x*vx + y*vy = 0;
  vx^2 + vy^2 + x*ax + y*ay = 0;
  annotation(experiment(StopTime = 10));
end TurningDummy;
