model ManufacturedOde "four differential equations"
  // exact: y1 = exp(sin(t^2)), y2 = exp(5 sin(t^2)), y3 = 1 + sin(t^2), y4 = cos(t^2)
  Real y1(start = 1, fixed = true), y2(start = 1, fixed = true);
  Real y3(start = 1, fixed = true), y4(start = 1, fixed = true);
equation
  der(y1) = 2*time*y2^(1/5)*y4;
  der(y2) = 10*time*exp(5*(y3 - 1))*y4;
  der(y3) = 2*time*y4;
  der(y4) = -2*time*log(y1);
end ManufacturedOde;
