model BlockedDiode "an ideal diode charges a capacitor with a load, and blocks at the start"
  Real s "along the characteristic of the diode", u, i, v(start = 1, fixed = true);
  Boolean off;
equation
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  u = sin(6*time) - v;
  der(v) = i - v;
end BlockedDiode;
