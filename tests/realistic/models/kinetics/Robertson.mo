model Robertson "autocatalysis of Robertson, one balance as the sum of fractions"
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true, nominal = 1e-5), y3;
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  annotation(experiment(StopTime = 4e5));
end Robertson;
