model Photovoltaic "solar module of 60 cells, implicit characteristic, that charges a battery through a filter; a cloud passes"
  parameter Real Is = 1.2e-10, ns = 60, Vt = 0.0282, Rs = 0.32, Rp = 400, L = 1e-3, C = 220e-6, E = 24, Rb = 0.15;
  Real G = 950 - 400*(tanh((time - 0.2)/0.005) - tanh((time - 0.6)/0.005)), iph, i,
    v(start = 36, fixed = true), iL(start = 0, fixed = true), P;
equation
  iph = 8.6*G/1000;
  i = iph - Is*(exp((v + Rs*i)/(ns*Vt)) - 1) - (v + Rs*i)/Rp;
  C*der(v) = i - 0.75*iL;
  L*der(iL) = 0.75*v - E - Rb*iL;
  P = v*i;
  annotation(experiment(StopTime = 1));
end Photovoltaic;
