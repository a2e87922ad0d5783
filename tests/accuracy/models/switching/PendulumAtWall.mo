model PendulumAtWall "two masses on rods, the second meets a wall without friction: e of its speed is left"
  parameter Real g = 9.81, m1 = 2, m2 = 0.5, w = 0.3, e = 0.5;
  Real x1(start = -0.8, fixed = true), y1(start = -0.6), u1(start = 0, fixed = true), v1;
  Real x2(start = -1.2, fixed = true), y2(start = -1.5), u2(start = 0, fixed = true), v2;
  Real A "force over length in the first rod", B "in the second one";
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  m1*der(u1) = -A*x1 + B*(x2 - x1);
  m1*der(v1) = -A*y1 + B*(y2 - y1) - m1*g;
  m2*der(u2) = -B*(x2 - x1);
  m2*der(v2) = -B*(y2 - y1) - m2*g;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
  when x2 > w then
    reinit(u2, -e*pre(u2));
  end when;
end PendulumAtWall;
