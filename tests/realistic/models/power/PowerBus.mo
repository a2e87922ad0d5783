model PowerBus "converter as a constant power after an LC filter; the current from u i = P"
  parameter Real U = 380, R = 0.12, L = 180e-6, C = 2.2e-3;
  Real iL(start = 0, fixed = true), u(start = 380, fixed = true), i(start = 10), P;
equation
  P = 4000 + 8000*(1 + tanh((time - 0.02)/5e-4));
  U = R*iL + L*der(iL) + u;
  C*der(u) = iL - i;
  u*i = P;
  annotation(experiment(StopTime = 0.06));
end PowerBus;
