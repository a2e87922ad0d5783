model TimedLogistic
  Real x(start = 0.3, fixed = true);
  Boolean up(start = false, fixed = true);
equation
  der(x) = (if up then 3 else -2)*x*(1 - x);
  when sample(0.37, 0.37) then
    up = not pre(up);
  end when;
end TimedLogistic;
