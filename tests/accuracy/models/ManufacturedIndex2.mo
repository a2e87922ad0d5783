model ManufacturedIndex2 "two differential variables, one constraint and its multiplier, index 2"
  // exact: y1 = exp(s), y2 = exp(-2 s), z = exp(2 s), s = t/2 + sin(t)/4
  Real y1(start = 1, fixed = true), y2(start = 1), z(start = 1);
  Real rate;
equation
  rate = 1/2 + cos(time)/4;
  der(y1) = rate*y1*y2^2*z^2;
  der(y2) = rate*(y1^2*y2^2 - 3*y2^2*z);
  y1^2*y2 = 1;
end ManufacturedIndex2;
