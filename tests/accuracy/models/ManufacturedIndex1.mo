model ManufacturedIndex1 "two differential and two algebraic variables, index 1"
  // exact: y1 = exp(sin(t)), y2 = cos(t), z1 = exp(sin(t) - cos(t)), z2 = sin(t)
  Real y1(start = 1, fixed = true), y2(start = 1, fixed = true);
  Real z1(start = exp(-1)), z2(start = 0);
equation
  der(y1) = z1*exp(y2)*y2;
  der(y2) = -log(z1)*exp(y2)*z1/y1 - cos(time);
  z1*exp(y2) - z2^3 = y1 - log(y1)^3;
  exp(z2)*z1 = y1*y1/exp(y2);
end ManufacturedIndex1;
