model ManufacturedIndex3 "two positions on a curve, index 3"
  // exact: q1 = exp(s/2), q2 = exp(-s), v = q', lambda = 1 + cos(2 t)/2, s = sin(t)
  Real q1(start = 1, fixed = true), q2(start = 1);
  Real v1(start = 0.5, fixed = true), v2(start = -1), lambda(start = 1.5);
  Real s, c;
equation
  s = sin(time);
  c = cos(time);
  der(q1) = v1;
  der(q2) = v2;
  der(v1) = 2*q1*q2*lambda + v1*v2 + (c^2/4 - s/2)*exp(s/2)
    - 2*exp(-s/2)*(1 + cos(2*time)/2) + c^2/2*exp(-s/2);
  der(v2) = q1^2*lambda - v2^2 + (c^2 + s)*exp(-s)
    - exp(s)*(1 + cos(2*time)/2) + c^2*exp(-2*s);
  q1^2*q2 = 1;
end ManufacturedIndex3;
