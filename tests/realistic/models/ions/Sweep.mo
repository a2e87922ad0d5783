model Sweep "thin layer at Nernst's equilibrium: the current of a sweep of the potential"
  Real ox, red(start = 1e-3), i, q(start = 0, fixed = true), E;
equation
  E = 0.0257*18*cos(time);
  E = 0.0257*log(ox/red);
  ox + red = 1;
  der(ox) = i;
  der(q) = i;
  annotation(experiment(StopTime = 6));
end Sweep;
