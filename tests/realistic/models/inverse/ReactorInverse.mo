model ReactorInverse "stirred tank whose temperature follows a path: the jacket's inlet is sought, index 3; min, l, mol, K"
  parameter Real q = 100, V = 100, cf = 1, Tf = 350, k0 = 7.2e10, ER = 8750, UA = 5e4, rhocp = 239, dH = -5e4,
    Vj = 20, qj = 60, rj = 4180;
  Real c(start = 0.5, fixed = true), T(start = 350), Tj(start = 300), Tin(start = 290), r;
equation
  r = k0*exp(-ER/T)*c;
  V*der(c) = q*(cf - c) - V*r;
  rhocp*V*der(T) = rhocp*q*(Tf - T) - dH*V*r + UA*(Tj - T);
  Vj*rj*der(Tj) = qj*rj*(Tin - Tj) + UA*(T - Tj);
  T = 350 + 10*sin(0.8*time);
  annotation(experiment(StopTime = 10));
end ReactorInverse;
