model FuelCell "PEM fuel cell: gas volumes, double layer, Tafel's law and limiting current; the load is stepped"
  parameter Real F = 96485, R = 8.314, T = 343, A = 0.0232 "m2", N = 48, Va = 5e-3, Vc = 1e-2, ka = 4.2e-6,
    kc = 7e-6 "mol/(s.Pa)", C = 8;
  Real pH(start = 1.5e5, fixed = true), pO(start = 0.6e5, fixed = true), vd(start = 0.3, fixed = true), I, E,
    ia, V, eta, vohm;
equation
  I = 60 + 40*tanh((time - 5)/0.05) - 70*tanh((time - 15)/0.05) + 30*tanh((time - 20)/0.05);
  Va/(R*T)*der(pH) = ka*(2.2e5 - pH) - N*I/(2*F);
  Vc/(R*T)*der(pO) = kc*(1.1e5 - pO) - N*I/(4*F);
  E = 1.229 - 8.5e-4*(T - 298.15) + R*T/(2*F)*(log(pH/101325) + 0.5*log(pO/101325));
  C*der(vd) = I - ia;
  vd = eta + 0.03*log(500/(500 - ia));
  ia = 2e-4*A*1e4*sinh(eta/0.058)*sqrt(pO/101325)*0.05;
  vohm = 2.4e-4*I;
  V = N*(E - vd - vohm);
  annotation(experiment(StopTime = 30));
end FuelCell;
