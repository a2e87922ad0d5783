model VesselFill "air vessel filled through a long pipe, heat to the wall; flow implicit in the squares of pressure"
  parameter Real V = 0.05 "m3", R = 287, cp = 1005, cv = 718, ps = 8e5, Ts = 293, k = 1.6e14 "Pa2.s2/kg2", m0 = 1e-4;
  parameter Real hA = 3 "W/K", Cw = 4000 "J/K";
  Real M(nominal = 0.1, start = 0.0595, fixed = true) "kg", U(start = 12500, fixed = true) "J", p, T,
    m(start = 0.01), Tw(start = 293, fixed = true), q;
equation
  p*V = M*R*T;
  U = M*cv*T;
  ps^2 - p^2 = k*m*sqrt(m^2 + m0^2);
  der(M) = m;
  der(U) = m*cp*Ts - q;
  q = hA*(T - Tw);
  Cw*der(Tw) = q;
  annotation(experiment(StopTime = 30));
end VesselFill;
