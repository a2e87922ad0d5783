model Ends "events at the start and at the stop"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer first(start = 0, fixed = true), last(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = if x > 0 then 1 else 5;
  when initial() then
    first = pre(first) + 1;
  end when;
  when time >= 1 then
    last = pre(last) + 1;
  end when;
end Ends;
