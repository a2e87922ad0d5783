model Antibody "drug that binds its target at once: quasi-equilibrium of free and bound; nM, days"
  parameter Real KD = 0.08, kel = 0.11, kint = 1.6, kout = 4.2, R0 = 9, k12 = 0.25, k21 = 0.2;
  Real L(start = 120, fixed = true) "free and bound drug", Rt(start = 9, fixed = true), P(start = 0, fixed = true);
  Real Lf(start = 1), Rf(start = 1), LR(start = 1);
equation
  L = Lf + LR;
  Rt = Rf + LR;
  KD*LR = Lf*Rf;
  der(L) = -kel*Lf - kint*LR - k12*Lf + k21*P;
  der(P) = k12*Lf - k21*P;
  der(Rt) = kout*R0 - kout*Rf - kint*LR;
  annotation(experiment(StopTime = 30));
end Antibody;
