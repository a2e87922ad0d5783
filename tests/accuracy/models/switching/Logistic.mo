model Logistic "smooth and nonlinear in each of two modes"
  Real x(start = 0.1, fixed = true);
equation
  der(x) = (if x > 0.5 then 1 else 3)*x*(1 - x);
end Logistic;
