model Carbonate "lye in contact with air absorbs carbon dioxide; mol/m3 and s"
  parameter Real kla = 2e-3, CO2eq = 1.36e-2 "mol/m3", K1 = 4.45e-4, K2 = 4.69e-8, Kw = 1.0e-8;
  parameter Real Na = 10;
  Real C(start = 1e-3, fixed = true) "all carbonate", CO2(nominal = 1e-3), HCO3(start = 0.01), CO3(start = 0.1);
  Real H(start = 1e-9, nominal = 1e-7), OH(start = 10), pH = 3 - log10(H);
equation
  der(C) = 50*kla*(CO2eq - CO2);
  C = CO2 + HCO3 + CO3;
  K1*CO2 = H*HCO3;
  K2*HCO3 = H*CO3;
  Kw = H*OH;
  Na + H = OH + HCO3 + 2*CO3;
  annotation(experiment(StopTime = 20000));
end Carbonate;
