model LimitedLoop "a limiter within an algebraic loop"
  Real r, u, y, x(start = 0, fixed = true);
equation
  r = 3*sin(time);
  u = r - 0.5*y;
  y = if u > 1 then 1 elseif u < -1 then -1 else u;
  der(x) = y - x;
end LimitedLoop;
