model Reset "an oscillator that is turned by a quarter at each maximum"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x < -0.5 then
    reinit(x, pre(v)*0.5);
    reinit(v, -pre(x));
    n = pre(n) + 1;
  end when;
end Reset;
