model Glucose "glucose and insulin after a meal: mg/dl, mU/l, min; the flow from the gut rises smoothly"
  parameter Real SG = 0.015, p2 = 0.025, SI = 5e-4, Gb = 92, Ib = 9, n = 0.2, gam = 0.006, h = 92, VG = 1.6;
  Real G(start = 92, fixed = true), X(start = 0, fixed = true, nominal = 1e-2), I(start = 9, fixed = true), Ra, beta;
equation
  Ra = 5*(1 + tanh((time - 20)/4))*exp(-time/60);
  der(G) = -(SG + X)*G + SG*Gb + Ra/VG;
  der(X) = -p2*X + p2*SI*(I - Ib);
  der(I) = beta - n*(I - Ib);
  beta = gam*60*(G - h)/(1 + exp(-(G - h)/2))/6;
  annotation(experiment(StopTime = 300));
end Glucose;
