model Dosing "the feed of alkali by which the pH of an acid follows a course"
  parameter Real Ka = 1.8e-5, Kw = 1e-14, A = 0.01;
  Real H(start = 1e-7), OH(start = 1e-7), Na, Ac, u;
equation
  -log10(H) = 7 + 4*sin(time);
  H*OH = Kw;
  Ac*(Ka + H) = A*Ka;
  H + Na = OH + Ac;
  1000*der(Na) = u;
  annotation(experiment(StopTime = 7));
end Dosing;
