model Blowdown "adiabatic vessel that blows down through a choked nozzle: closed form"
  parameter Real V = 0.05, R = 287, gamma = 1.4, A = 2e-6, p0 = 200e5, T0 = 300;
  Real M(start = p0*V/(R*T0), fixed = true), U(start = p0*V/(gamma - 1), fixed = true), p, T, m;
equation
  p*V = M*R*T;
  U = M*R/(gamma - 1)*T;
  m*sqrt(T) = A*p*sqrt(gamma/R)*(2/(gamma + 1))^((gamma + 1)/(2*(gamma - 1)));
  der(M) = -m;
  der(U) = -m*R*gamma/(gamma - 1)*T;
  annotation(experiment(StopTime = 300));
end Blowdown;
