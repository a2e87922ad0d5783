model Sawtooth "slopes of 1 and -1, switched by time and by the state: each method solves the pieces exactly"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Boolean on = mod(time, 1) < 0.5, up(start = true, fixed = true);
equation
  der(x) = if on then 1 else -1;
  der(y) = if up then 1 else -1;
  up = not pre(up) and y < 0.1 or pre(up) and y <= 0.7;
end Sawtooth;
