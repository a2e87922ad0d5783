model DoublePendulum "two masses on strings in Cartesian coordinates, millimetres and grams"
  parameter Real l1 = 300 "mm", l2 = 200, m1 = 250 "g", m2 = 120, g = 9810;
  Real x1(start = 260, fixed = true), y1(start = -140), x2(start = 390, fixed = true), y2(start = -300);
  Real u1(start = 0, fixed = true), v1, u2(start = 0, fixed = true), v2, T1 "force over length, g/s2", T2;
equation
  der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2;
  m1*der(u1) = -T1*x1 + T2*(x2 - x1);
  m1*der(v1) = -T1*y1 + T2*(y2 - y1) - m1*g;
  m2*der(u2) = -T2*(x2 - x1);
  m2*der(v2) = -T2*(y2 - y1) - m2*g;
  x1^2 + y1^2 = l1^2;
  (x2 - x1)^2 + (y2 - y1)^2 = l2^2;
  annotation(experiment(StopTime = 2));
end DoublePendulum;
