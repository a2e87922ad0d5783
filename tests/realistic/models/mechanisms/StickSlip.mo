model StickSlip "a mass on a belt, friction of Stribeck smooth within 1 mm/s"
  parameter Real m = 1.2, k = 900, d = 0.5, N = 25, vb = 0.08, mus = 0.45, muk = 0.25, vs = 0.02;
  Real x(nominal = 0.01, start = 0, fixed = true), v(nominal = 0.1, start = 0, fixed = true), r, F;
equation
  r = vb - v;
  F = N*(muk + (mus - muk)*exp(-(r/vs)^2))*tanh(r/1e-3);
  der(x) = v;
  m*der(v) = F - k*x - d*v;
  annotation(experiment(StopTime = 1.5));
end StickSlip;
