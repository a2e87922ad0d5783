model ThreePhase "six-pulse bridge with a resistive and inductive load"
  constant Real pi = 3.141592653589793;
  parameter Real R = 0.5, L = 20e-3, RL = 30, Is = 1e-8, Vt = 0.05, U = 325, G = 1e-9 "leakage, S";
  Real u[3] = {U*sin(100*pi*time - 2*pi*(k - 1)/3) for k in 1:3};
  Real v[3] "at the bridge", is[3], up[3] "into the positive rail", dn[3] "out of the negative one";
  Real p, n, iL(start = 0, fixed = true);
equation
  for k in 1:3 loop
    v[k] = u[k] - R*is[k];
    up[k] = Is*(exp((v[k] - p)/Vt) - 1) + G*(v[k] - p);
    dn[k] = Is*(exp((n - v[k])/Vt) - 1) + G*(n - v[k]);
    is[k] = up[k] - dn[k];
  end for;
  sum(up) = iL;
  sum(dn) = iL;
  L*der(iL) = p - n - RL*iL;
  annotation(experiment(StopTime = 0.04));
end ThreePhase;
