model Swing "three generators on one bus with a load; a fault of 0.1 s, smooth within 1 ms; per unit"
  parameter Real E[3] = {1.06, 1.02, 1.04}, X[3] = {0.15, 0.25, 0.31}, H[3] = {23.6, 6.4, 3.0};
  parameter Real Pm[3] = {0.9, 0.75, 0.55}, D = 2, w0 = 376.991118, GL = 2.1, BL = -0.35;
  Real d[3](start = {0.12, 0.17, 0.15}, each fixed = true) "rad", w[3](each start = 1, each fixed = true);
  Real vr(start = 1), vi(start = 0), ir[3], ii[3], Pe[3], Gf;
equation
  Gf = 10*(tanh((time - 0.5)/1e-3) - tanh((time - 0.6)/1e-3))/2;
  for k in 1:3 loop
    E[k]*cos(d[k]) - vr = -X[k]*ii[k];
    E[k]*sin(d[k]) - vi = X[k]*ir[k];
    Pe[k] = E[k]*(cos(d[k])*ir[k] + sin(d[k])*ii[k]);
    der(d[k]) = w0*(w[k] - 1);
    2*H[k]*der(w[k]) = Pm[k] - Pe[k] - D*(w[k] - 1);
  end for;
  sum(ir) = (GL + Gf)*vr - BL*vi;
  sum(ii) = BL*vr + (GL + Gf)*vi;
  annotation(experiment(StopTime = 3));
end Swing;
