model Cooling "cooling circuit: a pump that runs up, its curve, two parallel branches with m^1.75"
  parameter Real J = 0.02 "kg.m2", rho = 1000, eta = 0.7;
  parameter Real ka = 2.1e4 "Pa/(kg/s)^1.75", kb = 5.6e4, kr = 9e3, inertance = 4e4 "Pa.s2/kg";
  Real w(start = 20, fixed = true) "rad/s", m(start = 0.5, fixed = true), ma(start = 1), mb(start = 1);
  Real dp "pump, Pa", dpn "branches", tau;
equation
  dp = 2.4*w^2 - 18*w*m - 2500*m^2;
  inertance*der(m) = dp - dpn - kr*m^1.75;
  m = ma + mb;
  dpn = ka*ma^1.75;
  dpn = kb*mb^1.75;
  tau = 12*(1 - w/300);
  J*der(w) = tau - dp*m/(rho*eta*w);
  annotation(experiment(StopTime = 20));
end Cooling;
