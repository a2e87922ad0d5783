model Together "two relations change at one instant, and one when sees both"
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), both(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = -1;
  when x > 0.5 then
    a = pre(a) + 1;
  end when;
  when y < 0.5 then
    b = pre(b) + 1;
  end when;
  when x > 0.5 and y < 0.5 then
    both = pre(both) + 1;
  end when;
end Together;
