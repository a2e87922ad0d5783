model Hydrogen "chain-branching ignition of hydrogen and oxygen at constant volume, reduced to six species"
  parameter Real R = 8.314, T0 = 1200 "K", p0 = 101325 "Pa", n0 = p0/(R*T0) "mol/m3";
  parameter Real cv = 26 "J/(mol.K)";
  Real H2(start = 0.2*n0, fixed = true), O2(start = 0.1*n0, fixed = true), H(start = 0, fixed = true, nominal = 1e-9);
  Real O(start = 0, fixed = true, nominal = 1e-9), OH(start = 0, fixed = true, nominal = 1e-9),
    H2O(start = 0, fixed = true, nominal = 1e-9);
  Real T(start = T0, fixed = true), M;
  Real r0, r1, r2, r3, r4;
equation
  M = n0;
  r0 = 2e8*exp(-2.45e5/(R*T))*H2*O2 "H2 + O2 = 2 OH, m3, mol, s";
  r1 = 1.9e8*exp(-6.87e4/(R*T))*H*O2 "H + O2 = OH + O";
  r2 = 5.1e-2*T^2.67*exp(-2.63e4/(R*T))*O*H2 "O + H2 = OH + H";
  r3 = 2.1e2*T^1.51*exp(-1.44e4/(R*T))*OH*H2 "OH + H2 = H2O + H";
  r4 = 4.5e10/T^2*H*OH*M "H + OH + M = H2O + M";
  der(H2) = -r0 - r2 - r3;
  der(O2) = -r0 - r1;
  der(H) = -r1 + r2 + r3 - r4;
  der(O) = r1 - r2;
  der(OH) = 2*r0 + r1 + r2 - r3 - r4;
  der(H2O) = r3 + r4;
  n0*cv*der(T) = -78e3*r0 - 70e3*r1 - 8e3*r2 + 63e3*r3 + 499e3*r4;
  annotation(experiment(StopTime = 2e-3));
end Hydrogen;
