model Acetic "25 ml of 0.1 M acetic acid titrated with 0.1 M caustic soda, 0.5 ml/s; concentrations in mol/l"
  parameter Real Ka = 1.75e-5, Kw = 1.0e-14, V0 = 0.025, q = 0.5e-3, cb = 0.1, nA = 0.0025;
  Real V(start = 0.025, fixed = true) "l";
  Real nNa(start = 0, fixed = true, nominal = 1e-3) "mol";
  Real H(start = 1e-3), OH(start = 1e-11), A(start = 1e-3), HA(start = 0.1), pH;
equation
  der(V) = q;
  der(nNa) = q*cb;
  H*A = Ka*HA;
  H*OH = Kw;
  A + HA = nA/V;
  H + nNa/V = OH + A;
  pH = -log10(H);
  annotation(experiment(StopTime = 100));
end Acetic;
