model Corrosion "iron in aerated water: a mixed potential of two reactions, oxygen diffuses to the surface"
  parameter Real kO = 2e-5 "m/s", F = 96485, i0a = 1e-4 "A/m2", ba = 0.026, i0c = 3e-7, bc = 0.052;
  Real c(nominal = 0.1, start = 0.25, fixed = true) "oxygen, mol/m3", cs(start = 0.2), E(start = -0.1),
    i(start = 0.1), m(nominal = 0.1, start = 0, fixed = true) "iron lost, mol/m2", t6 = time/1e6;
equation
  i = i0a*(exp((E + 0.44)/ba) - exp(-(E + 0.44)/ba));
  i = i0c*cs/0.25*exp(-(E - 0.6)/bc);
  i = 4*F*kO*(c - cs);
  0.5*der(c) = -2*i/(4*F) + 2e-7*(0.25 - c);
  der(m) = i/(2*F);
  annotation(experiment(StopTime = 2e6));
end Corrosion;
