model Block "two halves of a copper block, insulated, one heated for 400 s of an hour"
  parameter Real C = 400 "J/K", G = 2e4 "W/K", P = 50 "W", t0 = 1800 "s", d = 400 "s";
  Real T1(start = 300, fixed = true), T2(start = 300, fixed = true), Q;
equation
  Q = P*(tanh((time - t0)/(d/20)) - tanh((time - t0 - d)/(d/20)))/2;
  C*der(T1) = Q - G*(T1 - T2);
  C*der(T2) = G*(T1 - T2);
  annotation(experiment(StopTime = 3600));
end Block;
