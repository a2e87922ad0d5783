model Decay
  Real x(start = 1, fixed = true), twice;
equation
  der(x) = -2*x;
  twice = 2*x;
end Decay;
