model Flash "flash drum with butane, pentane and hexane at 3 bar, bubble point by Antoine; the heating is stepped"
  // mol, s, Pa, K; Antoine in mmHg and degrees Celsius
  parameter Real A[3] = {6.80896, 6.87632, 6.91058}, B[3] = {935.86, 1075.78, 1189.64},
    C[3] = {238.73, 233.205, 226.28};
  parameter Real z[3] = {0.3, 0.4, 0.3}, F = 10, p = 3e5, lambda = 2.5e4, kl = 1.5e-3;
  Real n[3](start = {120, 200, 180}, each fixed = true), x[3], y[3], N, T(start = 320), V, L, Q;
equation
  N = sum(n);
  for i in 1:3 loop
    x[i]*N = n[i];
    y[i]*p = x[i]*133.322*10^(A[i] - B[i]/(T - 273.15 + C[i]));
    der(n[i]) = F*z[i] - V*y[i] - L*x[i];
  end for;
  sum(y) = 1;
  L = kl*N^1.4;
  Q = 8e4 + 4e4*tanh((time - 60)/5);
  V*lambda = Q;
  annotation(experiment(StopTime = 300));
end Flash;
