model Column "benzene and toluene in a column of ten stages, temperatures by bubble points; the feed changes"
  // kmol, h, mmHg, degrees Celsius
  parameter Real P = 760, F = 100, R = 130, D = 48, q = 1, M = 12;
  Real x[10](each start = 0.5, each fixed = true), y[10], T[10](each start = 95), zF, L1 = R, L2 = R + q*F,
    V = R + D, W = L2 - V;
equation
  zF = 0.5 - 0.04*(1 + tanh((time - 1)/0.02));
  for k in 1:10 loop
    P = x[k]*10^(6.90565 - 1211.033/(T[k] + 220.79)) + (1 - x[k])*10^(6.95464 - 1344.8/(T[k] + 219.482));
    P*y[k] = x[k]*10^(6.90565 - 1211.033/(T[k] + 220.79));
  end for;
  10*der(x[1]) = V*(y[2] - x[1]);
  for k in 2:4 loop
    M*der(x[k]) = L1*(x[k - 1] - x[k]) + V*(y[k + 1] - y[k]);
  end for;
  M*der(x[5]) = L1*x[4] + F*zF - L2*x[5] + V*(y[6] - y[5]);
  for k in 6:9 loop
    M*der(x[k]) = L2*(x[k - 1] - x[k]) + V*(y[k + 1] - y[k]);
  end for;
  60*der(x[10]) = L2*x[9] - W*x[10] - V*y[10];
  annotation(experiment(StopTime = 4));
end Column;
