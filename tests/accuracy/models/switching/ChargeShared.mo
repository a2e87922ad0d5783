model ChargeShared "a switch lets a capacitor charge another one through an ideal diode, which blocks at once"
  Real v1(start = 5, fixed = true), v2(start = 0, fixed = true), i, s(start = -1);
  Boolean off(start = true);
equation
  der(v1) = -i - v1;
  der(v2) = i;
  off = s < 0;
  i = if off then 0 else s;
  v1 - v2 = (if off then s else 0) + (if time < 1 then 10 else 0);
end ChargeShared;
