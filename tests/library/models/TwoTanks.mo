// with ../examples/library/two_tanks.mo
model TwoTanks "two tanks with heat and a controlled level: of components, and their equations by hand"
  two_tanks parts;
  parameter Real c(unit = "J/(kg.K)") = 4184, rho(unit = "kg/m3") = 998, g(unit = "m/s2") = Modelica.Constants.g_n;
  parameter Real A1(unit = "m2") = 0.8, A2(unit = "m2") = 0.5, p0(unit = "Pa") = 101325, G(unit = "W/K") = 60, k(unit = "1/m") = -2;
  Real h1(unit = "m", start = 0.9, fixed = true), h2(unit = "m", start = 0.4, fixed = true);
  Real T1(unit = "K", start = 300, fixed = true), T2(unit = "K", start = 293.15, fixed = true);
  Real m0(unit = "kg/s"), m1(unit = "kg/s"), m2(unit = "kg/s"), I(start = -0.2, fixed = true), y, v;
  Real T12(unit = "K") = T1 + g*h1/c "as far as the pressure at the bottom becomes heat";
equation
  m0 = if time < 500 then 1 else 1.5;
  m1 = 4e-4*sqrt(rho)*rho*g*h1/((rho*g*h1)^2 + 100)^0.25;
  m2 = y*8e-4*sqrt(rho)*rho*g*h2/((rho*g*h2)^2 + 100)^0.25;
  rho*A1*der(h1) = m0 - m1;
  rho*A2*der(h2) = m1 - m2;
  rho*A1*h1*c*der(T1) = m0*c*(310 - T1);
  rho*A2*h2*c*der(T2) = m1*c*(T12 - T2) + 20000 - G*(T2 - 291.15);
  v = k*(0.6 - h2 + I);
  y = if v > 1 then 1 elseif v < 0 then 0 else v;
  der(I) = (0.6 - h2)/300 + (y - v)/(k*0.9*300);
public
  Real error_h[2] = {parts.first.level - h1, parts.second.level - h2}, error_T[2] = {parts.first.T - T1, parts.second.T - T2}/10;
  Real error_y = parts.drain.opening - y;
  annotation(experiment(StopTime = 3000));
end TwoTanks;
