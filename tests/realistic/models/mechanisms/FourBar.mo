model FourBar "crank and rocker with a spring and gravity; angles of three bars"
  parameter Real l0 = 0.4, l1 = 0.1, l2 = 0.35, l3 = 0.25, I1 = 6e-3, J2 = 8e-3, I3 = 1.2e-2, m2 = 0.9, g = 9.81, k = 8;
  Real a(start = 0.5, fixed = true), b(start = 0.7), c(start = 1.6), wa(start = 8, fixed = true), wb, wc, f1, f2;
equation
  der(a) = wa;
  der(b) = wb;
  der(c) = wc;
  I1*der(wa) = 0.15 - 0.012*wa - m2*g*l1*cos(a)/2 - l1*sin(a)*f1 + l1*cos(a)*f2;
  J2*der(wb) = -l2*sin(b)*f1 + l2*cos(b)*f2;
  I3*der(wc) = -k*(c - 1.5) - m2*g*l3*cos(c)/2 + l3*sin(c)*f1 - l3*cos(c)*f2;
  l1*cos(a) + l2*cos(b) - l3*cos(c) = l0;
  l1*sin(a) + l2*sin(b) - l3*sin(c) = 0;
  annotation(experiment(StopTime = 2));
end FourBar;
