model MisleadingIndex2 "index 2 with one degree of freedom; the structure is that of an ODE"
  // u = (sin t + cos t)/2, v = (sin t - cos t)/2, s = (1 + u(0)) exp(-t) - u; u + v = sin t and u - v = cos t are hidden
  Real u, v, s(start = 1, fixed = true);
equation
  der(u) + der(v) = u - v;
  der(u) + der(v) = 2*u - sin(time);
  der(s) + der(u) = -(s + u);
  annotation(experiment(StopTime = 3));
end MisleadingIndex2;
