model Hoist "overhead crane: a trolley that is driven, a rope that is wound in meanwhile"
  parameter Real M = 1200 "kg", m = 4500, g = 9.81, d = 900;
  Real xt(start = 0, fixed = true), vt(start = 0, fixed = true), x(start = 0, fixed = true), y(start = -12);
  Real vx(start = 0, fixed = true), vy, S "force over length, N/m", L = 12 - 4*(1 + tanh((time - 6)/2))/2, F;
equation
  F = 2500*(tanh((time - 1)/0.1) - tanh((time - 4)/0.1));
  der(xt) = vt;
  der(x) = vx;
  der(y) = vy;
  M*der(vt) = F - d*vt + S*(x - xt);
  m*der(vx) = -S*(x - xt);
  m*der(vy) = -S*y - m*g;
  (x - xt)^2 + y^2 = L^2;
  annotation(experiment(StopTime = 15));
end Hoist;
