model Priority
  Real x(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 1 then
    a = 1;
  elsewhen x > 1 then
    a = 2;
  elsewhen x > 2 then
    a = 3;
  end when;
  when {x > 1, x > 2} then
    b = pre(b) + 1;
  elsewhen x > 0.5 then
    b = pre(b) + 10;
  elsewhen x > 2 then
    b = pre(b) + 100;
  end when;
end Priority;
