model SliderCrank "engine: crank, rod as two masses and an inertia, piston under gas force; two constraints"
  parameter Real l1 = 0.045, l2 = 0.145 "m", I1 = 0.018 "kg.m2", J2 = 4e-4, mA = 0.32, mB = 0.14, mp = 0.42, tau = 6;
  parameter Real A = 5.7e-3 "m2", p0 = 1.5e5;
  Real a(start = 0.6, fixed = true), b, s(nominal = 0.1, start = 0.18), wa(start = 150, fixed = true), wb, v,
    f1(nominal = 1e3), f2(nominal = 1e3), p;
equation
  der(a) = wa;
  der(b) = wb;
  der(s) = v;
  (I1 + mA*l1^2)*der(wa) = tau - l1*sin(a)*f1 + l1*cos(a)*f2;
  J2*der(wb) = -l2*sin(b)*f1 + l2*cos(b)*f2;
  (mB + mp)*der(v) = -A*(p - 1e5) - f1;
  p = p0*(0.12/(0.215 - s))^1.3;
  l1*cos(a) + l2*cos(b) = s;
  l1*sin(a) + l2*sin(b) = 0;
  annotation(experiment(StopTime = 0.2));
end SliderCrank;
