model Divider "two capacitors at a source that jumps, the second one with a leak"
  Real v1(start = 0, fixed = true), v2, u, i;
equation
  u = if time < 1 then 0 else 3;
  v1 + v2 = u;
  i = 2*der(v1);
  i = 1*der(v2) + 0.5*v2;
end Divider;
