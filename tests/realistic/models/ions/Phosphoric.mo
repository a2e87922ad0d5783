model Phosphoric "phosphoric acid against caustic soda, written in pH"
  parameter Real pK1 = 2.148, pK2 = 7.199, pK3 = 12.35, pKw = 13.995, cb = 1 "mol/l", q = 1e-4 "l/s";
  Real V(start = 0.1, fixed = true), nNa(start = 0, fixed = true);
  Real pH(start = 7), H = 10^(-pH), OH = 10^(pH - pKw), c = 0.005/V, D, z;
equation
  der(V) = q;
  der(nNa) = q*cb;
  D = 1 + 10^(pH - pK1)*(1 + 10^(pH - pK2)*(1 + 10^(pH - pK3)));
  z*D = 10^(pH - pK1)*(1 + 10^(pH - pK2)*(2 + 3*10^(pH - pK3)));
  nNa/V + H - OH = c*z;
  annotation(experiment(StopTime = 200));
end Phosphoric;
