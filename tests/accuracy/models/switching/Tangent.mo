model Tangent "x = (t - 1)^2 - depth"
  parameter Real depth = 1e-3;
  Real x(start = 1 - depth, fixed = true), s(start = -2, fixed = true);
  Integer below(start = 0, fixed = true), above(start = 0, fixed = true);
equation
  der(x) = s;
  der(s) = 2;
  when x < 0 then
    below = pre(below) + 1;
  end when;
  when x > 0 then
    above = pre(above) + 1;
  end when;
end Tangent;
