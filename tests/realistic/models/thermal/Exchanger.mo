model Exchanger "counter-flow exchanger of eight cells, conductance by viscosity, the inlet stepped smoothly"
  parameter Real mh = 0.8, mc = 1.1 "kg/s", cp = 4180, Ch = 6000 "J/K", A = 0.35 "m2";
  Real Th[8](each start = 333, each fixed = true), Tc[8](each start = 293, each fixed = true);
  Real U[8], Q[8], Tin = 348 + 10*tanh((time - 30)/2);
equation
  for k in 1:8 loop
    U[k]*(1/900 + 1/1500*exp(1.2e-2*(340 - Th[k]))) = 1;
    Q[k] = U[k]*A*(Th[k] - Tc[k]);
  end for;
  Ch*der(Th[1]) = mh*cp*(Tin - Th[1]) - Q[1];
  Ch*der(Tc[8]) = mc*cp*(288 - Tc[8]) + Q[8];
  for k in 2:8 loop
    Ch*der(Th[k]) = mh*cp*(Th[k - 1] - Th[k]) - Q[k];
    Ch*der(Tc[k - 1]) = mc*cp*(Tc[k] - Tc[k - 1]) + Q[k - 1];
  end for;
  annotation(experiment(StopTime = 120));
end Exchanger;
