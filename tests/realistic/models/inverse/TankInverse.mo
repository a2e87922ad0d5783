model TankInverse "two tanks: which inflow makes the second level follow a path? index 3"
  parameter Real A = 0.5, k = 0.02;
  Real h1(start = 1), h2(start = 1), u, r = 1 + 0.3*(1 + tanh((time - 100)/30));
equation
  A*der(h1) = u - k*sqrt(h1);
  A*der(h2) = k*sqrt(h1) - k*sqrt(h2);
  h2 = r;
  annotation(experiment(StopTime = 300));
end TankInverse;
