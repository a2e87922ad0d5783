model Furnace "gas-fired furnace: the gas has no inertia, wall and load do"
  parameter Real m = 0.5 "kg/s", cp = 1200, Tf = 2100, s = 5.67e-8, h = 25;
  Real Tg(start = 1000), Tw(start = 300, fixed = true), Tl(start = 300, fixed = true), qw, ql, x;
equation
  m*cp*(Tf - Tg) = 20*qw + 8*ql;
  qw = 0.25*s*(Tg^4 - Tw^4) + h*(Tg - Tw);
  ql = 0.3*s*(Tg^4 - Tl^4) + h*(Tg - Tl);
  x = 8*(ql + 0.4*s*(Tw^4 - Tl^4));
  4e6*der(Tw) = 20*qw - 8*0.4*s*(Tw^4 - Tl^4) - 120*(Tw - 300);
  6e6*der(Tl) = x;
  annotation(experiment(StopTime = 36000));
end Furnace;
