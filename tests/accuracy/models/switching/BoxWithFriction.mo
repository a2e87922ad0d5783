model BoxWithFriction "a block slides with friction between two walls, and loses speed at each impact"
  parameter Real mu = 0.4, e = 0.7;
  Real x(start = 0.5, fixed = true), v(start = 4, fixed = true);
  Integer impacts(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = if v > 0 then -mu else mu;
  when {x > 1, x < 0} then
    reinit(v, -e*pre(v));
    impacts = pre(impacts) + 1;
  end when;
end BoxWithFriction;
