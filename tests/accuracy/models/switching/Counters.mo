model Counters "values before, edges and changes, one after the other in the rounds of an event"
  Real x(start = 0, fixed = true);
  Boolean high, odd(start = false, fixed = true);
  Integer edges(start = 0, fixed = true), changes(start = 0, fixed = true);
  Integer tens(start = 0, fixed = true), lag(start = 0, fixed = true);
equation
  der(x) = 2*3.141592653589793*cos(2*3.141592653589793*time);
  high = x > 0.5;
  when edge(high) then
    edges = pre(edges) + 1;
    odd = not pre(odd);
  end when;
  when change(high) then
    changes = pre(changes) + 1;
    lag = pre(edges);
  end when;
  when change(changes) and mod(changes, 4) == 0 then
    tens = pre(tens) + 10;
  end when;
end Counters;
