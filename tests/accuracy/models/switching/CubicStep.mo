model CubicStep
  Real i, v(start = 0, fixed = true), vs;
equation
  vs = if time < 1 then 0 else 5;
  i + i^3 = vs - v;
  der(v) = i;
end CubicStep;
