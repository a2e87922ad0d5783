model Cylinder "hydraulic cylinder after a servo valve, oil of bulk modulus 1.4e9 Pa"
  parameter Real ps = 210e5 "Pa", beta = 1.4e9, A1 = 1.9635e-3 "m2", A2 = 1.2566e-3, V0 = 2e-4 "m3";
  parameter Real stroke = 0.5 "m", m = 250 "kg", b = 4000 "N.s/m", kv = 4e-8 "m3/s/sqrt(Pa)";
  Real pA(start = 60e5, fixed = true, nominal = 1e5), pB(start = 93.75e5, fixed = true, nominal = 1e5);
  Real x(nominal = 0.1, start = 0.1, fixed = true), v(nominal = 0.1, start = 0, fixed = true), u, qA, qB, F;
equation
  u = 0.5*(1 + tanh((time - 0.1)/0.01)) - 0.5*(1 + tanh((time - 0.5)/0.01));
  qA = kv*u*sqrt(ps - pA);
  qB = kv*u*sqrt(pB);
  F = A1*pA - A2*pB;
  der(pA)*(V0 + A1*x) = beta*(qA - A1*v);
  der(pB)*(V0 + A2*(stroke - x)) = beta*(A2*v - qB);
  m*der(v) = F - b*v;
  der(x) = v;
  annotation(experiment(StopTime = 0.8));
end Cylinder;
