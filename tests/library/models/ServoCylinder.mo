// with ../examples/library/servo_cylinder.mo
model ServoCylinder "a cylinder under position control: of components, and its equations by hand"
  servo_cylinder parts;
  parameter Real k(unit = "1/m") = 8;
  parameter Real dp = 430*(12*Modelica.Constants.pi*0.61*40e-6)^2*Modelica.Constants.pi/4 "of the transition, times the area of an orifice";
  Real V(start = 2.5e-4, fixed = true), p = 9e6*(1e-3/(1e-3 - V))^1.4, a = max(0, min(1, (p - 101325 - 1.4e7)/2e6));
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), u = max(-1, min(1, k*(wanted - s)));
  Real wanted = 0.1 + 0.25*max(0, min(1, (time - 0.1)/0.8));
  Real pa(start = 4e6, fixed = true), pb(start = 6e6, fixed = true), s(start = 0.1, fixed = true), v(start = 0, fixed = true);
  Real to = 1e-5*(x + sqrt(x^2 + 0.005^2))/2, from = to - 1e-5*x;
  function q "of an orifice of the area A at the pressure difference d"
    input Real A, d, dp, area;
    output Real y = 0.61*A*sqrt(2/860)*d/(d^2 + (dp/area)^2)^0.25;
  algorithm
  end q;
equation
  der(V) = 5e-4 - q(2e-11 + (2e-5 - 2e-11)*a, p - 101325, dp, 2e-5) - q(to, p - pa, dp, 1e-5) - q(from, p - pb, dp, 1e-5);
  der(x) = y;
  der(y) = 500^2*(u - x) - 700*y;
  (1.2e-5 + 1.2e-3*s)/1.4e9*der(pa) = q(to, p - pa, dp, 1e-5) - q(from, pa - 101325, dp, 1e-5) - 1.2e-3*v - 4e-12*(pa - pb);
  (8e-6 + 8e-4*(0.5 - s))/1.4e9*der(pb) = q(from, p - pb, dp, 1e-5) - q(to, pb - 101325, dp, 1e-5) + 8e-4*v + 4e-12*(pa - pb);
  der(s) = v;
  400*der(v) = 1.2e-3*pa - 8e-4*pb - 4e-4*101325 - 300*v - (if time < 1.2 then 0 else 3000);
public
  Real error_s = (parts.mass.s - s)/0.1, error_v = parts.mass.v - v, error_x = parts.valve.x - x;
  Real error_p[3] = {parts.accumulator.p - p, parts.cylinder.p_a - pa, parts.cylinder.p_b - pb}/1e7;
  annotation(experiment(StopTime = 2));
end ServoCylinder;
