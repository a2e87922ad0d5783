model CraneInverse "crane whose load follows a path over ground and in height: rope and drives are sought, index 5"
  parameter Real m = 800 "kg", M = 300, g = 9.81;
  Real x, y, xt, L(start = 8), S(start = 900) "force over length, N/m", F, ux, uy, ut, a;
equation
  der(x) = ux;
  der(y) = uy;
  m*der(ux) = -S*(x - xt);
  m*der(uy) = -S*y - m*g;
  (x - xt)^2 + y^2 = L^2;
  der(xt) = ut;
  M*a = F + S*(x - xt);
  a = der(ut);
  x = 5 + 3*sin(0.5*time);
  y = -8 + 1.5*cos(0.3*time);
  annotation(experiment(StopTime = 12));
end CraneInverse;
