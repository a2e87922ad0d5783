model Pendulum "a point mass on a rod, in Cartesian coordinates as one writes it down: index 3"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x(unit = "m", start = -1), y(unit = "m", start = 0, fixed = true);
  Real vx(unit = "m/s", start = 0), vy(unit = "m/s", start = 0, fixed = true);
  Real F(unit = "N") "force in the rod, tension positive";
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10));
end Pendulum;
