model PhaseChange "paraffin heated and cooled through its melting range: enthalpy as the state, T implicit"
  parameter Real m = 2 "kg", cs = 2100, L = 180e3, Tm = 321.5, w = 0.4 "K", UA = 12 "W/K";
  Real H(start = 0, fixed = true) "J", T(start = 300), Tw, liquid;
equation
  H = m*(cs*(T - 300) + L*liquid);
  liquid = 0.5*(1 + tanh((T - Tm)/w));
  Tw = 320 + 25*sin(2*3.141592653589793*time/14400);
  der(H) = UA*(Tw - T);
  annotation(experiment(StopTime = 28800));
end PhaseChange;
