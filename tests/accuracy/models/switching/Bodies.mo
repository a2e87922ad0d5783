model Bodies "what has triggered a clause holds in its body, however it is written"
  Real h(start = 0.8, fixed = true), x(start = 0, fixed = true), v(start = 1, fixed = true);
  Boolean pump(start = false, fixed = true);
  Integer switched(start = 0, fixed = true), early(start = 0, fixed = true), kind(start = 0, fixed = true);
equation
  der(h) = if pump then 0.2 else -0.1;
  der(x) = v;
  der(v) = 0;
  when {h < 0.5, h > 1} then
    pump = h <= 0.5;
    switched = pre(switched) + (if 0.5 >= h then 1 elseif h > 1 then 100 else 10000);
  end when;
  when {x > 1, x < -1} then
    reinit(v, if x > 1 then -0.5*pre(v) else -0.8*pre(v));
  end when;
  when {time > 0.3, 2*h > 1.4} then
    early = pre(early) + (if time <= 0.3 then 1 else 10) + (if h > 0.7 then 100 else 1000);
  end when;
algorithm
  when {h < 0.7, h < 0.6} then
    kind := 0;
    if h < 0.7 then kind := kind + 1; end if;
    if h < 0.6 then kind := kind + 10; end if;
  end when;
end Bodies;
