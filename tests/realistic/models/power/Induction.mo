model Induction "induction machine of 3 hp started on the mains: flux linkages and currents in the stator frame"
  constant Real pi = 3.141592653589793;
  parameter Real Rs = 0.435, Rr = 0.816, Lm = 69.31e-3, Ls = 71.31e-3, Lr = 71.31e-3, J = 0.089, pp = 2;
  Real psd(start = 0, fixed = true), psq(start = 0, fixed = true), prd(start = 0, fixed = true),
    prq(start = 0, fixed = true);
  Real isd, isq, ird, irq, w(start = 0, fixed = true), M, ML = 3e-4*w^2;
equation
  der(psd) = 180*cos(120*pi*time) - Rs*isd;
  der(psq) = 180*sin(120*pi*time) - Rs*isq;
  der(prd) = -Rr*ird - pp*w*prq;
  der(prq) = -Rr*irq + pp*w*prd;
  psd = Ls*isd + Lm*ird;
  psq = Ls*isq + Lm*irq;
  prd = Lr*ird + Lm*isd;
  prq = Lr*irq + Lm*isq;
  M = 1.5*pp*(psd*isq - psq*isd);
  J*der(w) = M - ML;
  annotation(experiment(StopTime = 0.5));
end Induction;
