model EnergyStill "batch still with an energy balance: the boil-up holds the bubble point, index 2"
  parameter Real P = 101325, Q = 2.5e4 "W", c1 = 135, c2 = 160 "J/(mol.K)", dh1 = 3.1e4, dh2 = 3.5e4;
  Real n1(start = 400, fixed = true), n2(start = 600, fixed = true), U(start = 5e6), T(start = 350), V(start = 0.5);
  Real x, y, p1, p2;
equation
  x = n1/(n1 + n2);
  p1 = 133.322*10^(6.90565 - 1211.033/(T - 273.15 + 220.79));
  p2 = 133.322*10^(6.95464 - 1344.8/(T - 273.15 + 219.482));
  P = x*p1 + (1 - x)*p2;
  y*P = x*p1;
  der(n1) = -V*y;
  der(n2) = -V*(1 - y);
  U = (n1*c1 + n2*c2)*(T - 298.15);
  der(U) = Q - V*(y*(c1*(T - 298.15) + dh1) + (1 - y)*(c2*(T - 298.15) + dh2));
  annotation(experiment(StopTime = 1000));
end EnergyStill;
