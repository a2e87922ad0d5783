model LinearIndex3 "two oscillators bound to each other, index 3, with forces that make the solution known"
  // exact: x = sin(t) + cos(2 t), y = cos(t), lambda = exp(-t)
  Real x(start = 1, fixed = true), y(start = 1), u(start = 1, fixed = true), v(start = 0), lambda;
  Real fx, fy;
equation
  fx = -3*cos(2*time) + 0.5*(cos(time) - 2*sin(2*time)) - exp(-time);
  fy = 2*cos(time) - 0.2*sin(time) - 2*exp(-time);
  der(x) = u;
  der(y) = v;
  der(u) = -x - 0.5*u + lambda + fx;
  der(v) = -3*y - 0.2*v + 2*lambda + fy;
  x + 2*y = sin(time) + cos(2*time) + 2*cos(time);
  annotation(experiment(StopTime = 10));
end LinearIndex3;
