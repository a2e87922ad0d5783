model Cstr "jacketed stirred tank in a limit cycle, units of min, l, mol, K"
  parameter Real q = 100, V = 100, cf = 1, Tf = 350, k0 = 7.2e10, ER = 8750, UA = 5e4, rhocp = 239;
  parameter Real dH = -5e4, Tc = 305;
  Real c(start = 0.5, fixed = true), T(start = 350, fixed = true), k;
equation
  k = k0*exp(-ER/T);
  V*der(c) = q*(cf - c) - V*k*c;
  rhocp*V*der(T) = rhocp*q*(Tf - T) - dH*V*k*c + UA*(Tc - T);
  annotation(experiment(StopTime = 10));
end Cstr;
