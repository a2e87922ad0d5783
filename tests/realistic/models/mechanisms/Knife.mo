model Knife "a blade on an inclined plane that turns evenly: nonholonomic, with a closed form"
  parameter Real m = 2.5, J = 0.3, al = 0.4, g = 9.81, w0 = 1.7;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), p(start = 0, fixed = true);
  Real u(start = 0), v(start = 0, fixed = true), w(start = 1.7, fixed = true), f;
equation
  der(x) = u;
  der(y) = v;
  der(p) = w;
  m*der(u) = m*g*sin(al) + f*sin(p);
  m*der(v) = -f*cos(p);
  J*der(w) = 0;
  u*sin(p) = v*cos(p);
initial equation
  u = 0;
  annotation(experiment(StopTime = 4));
end Knife;
