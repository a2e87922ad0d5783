model Silver "silver nitrate into which ammonia drips: complexes over many decades, mol/l"
  parameter Real b1 = 10^3.31, b2 = 10^7.23, pKa = 9.24, Kw = 1e-14;
  Real nN(start = 0, fixed = true, nominal = 1e-2) "ammonia given, mol";
  Real Ag(start = 0.01, nominal = 1e-4), AgN(start = 1e-4), AgN2(start = 1e-4);
  Real NH3(start = 1e-4), NH4(start = 1e-4), H(start = 1e-7, nominal = 1e-8), OH(start = 1e-7);
  Real pAg = -log10(Ag), pH = -log10(H);
equation
  der(nN) = 1e-3;
  AgN = b1*Ag*NH3;
  AgN2 = b2*Ag*NH3^2;
  H*NH3 = 10^(-pKa)*NH4;
  H*OH = Kw;
  Ag + AgN + AgN2 = 0.01;
  NH3 + NH4 + AgN + 2*AgN2 = nN;
  Ag + AgN + AgN2 + NH4 + H = OH + 0.01;
  annotation(experiment(StopTime = 100));
end Silver;
