model TurningPendulum "started at the bottom fast enough to turn over: each of x and y fails as a state in turn"
  parameter Real L(unit = "m") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 0), y(unit = "m", start = -1, fixed = true);
  Real vx(unit = "m/s", start = 7, fixed = true), vy(unit = "m/s", start = 0);
  Real F(unit = "1/s2") "rod force over mass and length";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10));
end TurningPendulum;
