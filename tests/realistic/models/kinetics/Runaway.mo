model Runaway "thermal runaway of a batch reactor, SI units"
  parameter Real k0 = 2.5e10 "1/s", E = 8.4e4 "J/mol", R = 8.314, dH = -1.9e5 "J/mol";
  parameter Real rho_cp = 2.1e6 "J/(m3.K)", UA = 600 "W/(m3.K)", Tc = 300 "K";
  Real c(start = 2500, fixed = true) "mol/m3", T(start = 310, fixed = true) "K", r, Q, X = 1 - c/2500;
equation
  r = k0*exp(-E/(R*T))*c;
  Q = UA*(T - Tc);
  der(c) = -r;
  rho_cp*der(T) = -dH*r - Q;
  annotation(experiment(StopTime = 20000));
end Runaway;
