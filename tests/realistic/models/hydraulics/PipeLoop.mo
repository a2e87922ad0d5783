model PipeLoop "two tanks joined by a turbulent loop of three pipes"
  parameter Real A1 = 2.5 "m2", A2 = 4.0, rho = 998, g = 9.81;
  parameter Real k1 = 850 "Pa/(kg/s)^2", k2 = 2200, k3 = 430, ml = 0.05 "laminar below, kg/s";
  Real h1(start = 6, fixed = true), h2(start = 1, fixed = true);
  Real m1, m2, m3, p "at the junction, Pa";
equation
  rho*A1*der(h1) = -m1 - m3;
  rho*A2*der(h2) = m2 + m3;
  rho*g*h1 - p = k1*m1*sqrt(m1^2 + ml^2);
  p - rho*g*h2 = k2*m2*sqrt(m2^2 + ml^2);
  rho*g*(h1 - h2) = k3*m3*sqrt(m3^2 + ml^2);
  m1 = m2;
  annotation(experiment(StopTime = 2000));
end PipeLoop;
