model ThreeTanks "three tanks in a row, orifices between them, the middle one fed"
  parameter Real A = 0.0154 "m2", S = 5e-5 "m2", g = 9.81, cd = 0.6;
  Real h[3](each nominal = 0.1, start = {0.55, 0.05, 0.3}, each fixed = true);
  Real q12, q23, q3 "m3/s", feed;
equation
  feed = 4e-5*(1 + sin(0.05*time));
  q12 = cd*S*2*g*(h[1] - h[2])/sqrt(sqrt((2*g*(h[1] - h[2]))^2 + 1e-4));
  q23 = cd*S*2*g*(h[2] - h[3])/sqrt(sqrt((2*g*(h[2] - h[3]))^2 + 1e-4));
  q3 = cd*S*sqrt(2*g*h[3]);
  A*der(h[1]) = -q12;
  A*der(h[2]) = q12 - q23 + feed;
  A*der(h[3]) = q23 - q3;
  annotation(experiment(StopTime = 400));
end ThreeTanks;
