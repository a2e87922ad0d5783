model Neutralisation "continuous neutralisation of Hall and Seborg: ml, s, mol/l; the base is stepped smoothly"
  parameter Real A = 207 "cm2", Cv = 8.75, pK1 = 6.35, pK2 = 10.25;
  Real h(start = 14, fixed = true), Wa(start = -4.32e-4, fixed = true, nominal = 1e-3);
  Real Wb(start = 5.28e-4, fixed = true, nominal = 1e-3), pH(start = 7), q1, q2, q3, q4;
equation
  q1 = 16.6;
  q2 = 0.55;
  q3 = 15.6 + 2*tanh((time - 100)/10) - 4*tanh((time - 600)/10);
  q4 = Cv*sqrt(h);
  A*der(h) = q1 + q2 + q3 - q4;
  A*h*der(Wa) = q1*(3e-3 - Wa) + q2*(-3e-2 - Wa) + q3*(-3.05e-3 - Wa);
  A*h*der(Wb) = q1*(0 - Wb) + q2*(3e-2 - Wb) + q3*(5e-5 - Wb);
  Wa + 10^(pH - 14) + Wb*(1 + 2*10^(pH - pK2))/(1 + 10^(pK1 - pH) + 10^(pH - pK2)) - 10^(-pH) = 0;
  annotation(experiment(StopTime = 1200));
end Neutralisation;
