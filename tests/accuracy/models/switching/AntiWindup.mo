model AntiWindup "PI control of an integrator with lag; the integral rests while the limiter acts"
  Real x(start = 0, fixed = true), I(start = 0, fixed = true);
  Real e, w, u;
equation
  e = (if time < 4 then 3 else 1) - x;
  w = 2*e + I;
  u = if w > 1 then 1 elseif w < -1 then -1 else w;
  der(x) = u - 0.2*x;
  der(I) = if w > 1 or w < -1 then 0 else e;
end AntiWindup;
