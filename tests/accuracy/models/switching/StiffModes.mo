model StiffModes
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > -0.4 then -500 - 300*x else -480 - 250*x;
end StiffModes;
