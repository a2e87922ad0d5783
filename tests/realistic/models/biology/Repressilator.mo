model Repressilator "three genes that repress each other in a ring: molecules and minutes"
  parameter Real a = 30, a0 = 0.03, K = 40, n = 2.1, b = 7, dm = 0.35, dp = 0.07;
  Real m[3](start = {0, 10, 3}, each fixed = true), p[3](start = {20, 5, 60}, each fixed = true), f[3];
equation
  f = {a/(1 + (p[3]/K)^n), a/(1 + (p[1]/K)^n), a/(1 + (p[2]/K)^n)};
  for k in 1:3 loop
    der(m[k]) = a0 + f[k] - dm*m[k];
    der(p[k]) = b*m[k]/10 - dp*p[k];
  end for;
  annotation(experiment(StopTime = 300));
end Repressilator;
