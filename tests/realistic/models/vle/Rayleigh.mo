model Rayleigh "batch still with ethanol and water: relative volatility by Margules, bubble point by iteration"
  parameter Real V = 0.5 "mol/s", P = 760 "mmHg", A12 = 1.6022, A21 = 0.7947;
  Real n(start = 1000, fixed = true), m(start = 300, fixed = true) "ethanol, mol", x(start = 0.3),
    y(start = 0.5), T(start = 90);
  Real g1, g2, p1, p2;
equation
  x*n = m;
  der(n) = -V;
  der(m) = -V*y;
  log(g1) = (1 - x)^2*(A12 + 2*(A21 - A12)*x);
  log(g2) = x^2*(A21 + 2*(A12 - A21)*(1 - x));
  p1 = 10^(8.20417 - 1642.89/(T + 230.3));
  p2 = 10^(8.07131 - 1730.63/(T + 233.426));
  P = x*g1*p1 + (1 - x)*g2*p2;
  y*P = x*g1*p1;
  annotation(experiment(StopTime = 1500));
end Rayleigh;
