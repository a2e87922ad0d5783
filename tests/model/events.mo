model Events "constructs for events, for tests that damage it"
  type E = enumeration(off, low, high);
  parameter Real p[2] = {1, 2};
  Boolean b[2], any, s = sample(0, 0.5);
  Integer n(start = 2), k[3];
  E mode(start = E.low);
  Real x(start = 1), y, w[2](each start = 1);
  discrete Real d[2](start = {1, 2}, each fixed = true), q;
algorithm
  when {b[1], s} then
    if x > 0.5 then
      d[1] := pre(d[1]) + x;
    elseif x > 0.2 then
      d[2] := d[1];
    end if;
    for i in 1:3 loop
      k[i] := pre(k[i]) + i;
    end for;
    assert(x > 0, "negative");
  elsewhen edge(any) then
    d := {0, 0};
    terminate("any");
  end when;
equation
  b = {x > p[1], y < p[2]};
  any = b[1] or b[2] and not pre(any);
  der(x) = if mode == E.high then -x else d[1] - sign(x) + abs(y);
  y = x + mod(time, 1) + div(x, 2) + rem(-x, 3) + integer(x)*floor(w[1]) + min({x, w[1], w[2]});
  der(w) = -w;
  if any then mode = E.high; n = 1; else mode = if time > 3 then E.off else pre(mode); n = pre(n) + 1; end if;
  when initial() then
    q = x;
  elsewhen {change(n), time > 1, terminal()} then
    q = pre(q) + pre(x);
    reinit(w, -pre(w));
  end when;
initial equation
  pre(n) = 3;
  any = false;
end Events;
