model Oregonator "Belousov-Zhabotinsky reaction, Field and Noyes"
  parameter Real s = 77.27, q = 8.375e-6, w = 0.161;
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 3, fixed = true);
  Real r1, r2;
equation
  r1 = y + x*(1 - q*x - y);
  r2 = (1 + x)*y;
  der(x) = s*r1;
  der(y) = (z - r2)/s;
  der(z) = w*(x - z);
  annotation(experiment(StopTime = 360));
end Oregonator;
