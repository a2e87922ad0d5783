model Bridge "four diodes with resistance; no capacitor at the inputs"
  parameter Real on = 0.1, off = 1e4, R = 20, C = 5e-3, Rs = 0.5;
  Real vs, is, a, b, p, n, vc(start = 0, fixed = true);
  Real i1, i2, i3, i4;
equation
  vs = 10*sin(2*3.141592653589793*time);
  vs - Rs*is = a - b;
  i1 = (if a - p > 0 then (a - p)/on else (a - p)/off);
  i2 = (if b - p > 0 then (b - p)/on else (b - p)/off);
  i3 = (if n - a > 0 then (n - a)/on else (n - a)/off);
  i4 = (if n - b > 0 then (n - b)/on else (n - b)/off);
  is = i1 - i3;
  -is = i2 - i4;
  n = 0;
  vc = p - n;
  C*der(vc) = i1 + i2 - vc/R;
end Bridge;
