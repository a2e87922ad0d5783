model Pipeline "natural gas in a ring of four nodes: bar, kg/s, h; consumption rises within minutes"
  parameter Real V[3] = {600, 450, 800} "m3", rho = 0.68 "kg/(m3.bar)", K[4] = {0.9, 1.7, 2.6, 1.1} "bar2/(kg/s)^1.85";
  Real p[3](start = {58, 55, 54}, each fixed = true), m[4](each start = 5), d;
equation
  60^2 - p[1]^2 = K[1]*m[1]*(m[1]^2 + 1e-4)^0.425;
  p[1]^2 - p[2]^2 = K[2]*m[2]*(m[2]^2 + 1e-4)^0.425;
  p[2]^2 - p[3]^2 = K[3]*m[3]*(m[3]^2 + 1e-4)^0.425;
  60^2 - p[3]^2 = K[4]*m[4]*(m[4]^2 + 1e-4)^0.425;
  d = 6 + 4*tanh((time - 1)/0.05) - 3*tanh((time - 3)/0.05);
  V[1]*rho*der(p[1]) = 3600*(m[1] - m[2] - 4);
  V[2]*rho*der(p[2]) = 3600*(m[2] - m[3] - d);
  V[3]*rho*der(p[3]) = 3600*(m[3] + m[4] - 7);
  annotation(experiment(StopTime = 5));
end Pipeline;
