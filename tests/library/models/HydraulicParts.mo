model HydraulicParts "volumes, lines, orifices and valves beside their exact solutions"
  import Daedal.Hydraulic.*;
  import Modelica.Constants.pi;
  // a volume filled through a laminar resistance
  Tank supply(p = 5e6);
  LaminarResistance throttle(G = 1e-11);
  FlowSensor meter;
  Volume chamber(V = 1e-3, beta = 1e9, p(start = 1e5, fixed = true));
  Real error_chamber = (chamber.p - (5e6 - 4.9e6*exp(-10*time)))/1e6;
  Real error_meter = (meter.q - 4.9e-5*exp(-10*time))/1e-5;
  // a constant and a changing flow into volumes
  FixedFlow constantFlow(q = 1e-4);
  PrescribedFlow changing(q = 1e-4*cos(10*time));
  Volume first(V = 2e-3, beta = 1e9, p(start = 2e5, fixed = true)), second(V = 1e-3, beta = 1e9, p(start = 1e6, fixed = true));
  PressureSensor gauge;
  RelPressureSensor difference;
  Real error_gauge = (gauge.p - (2e5 + 5e7*time))/1e6;
  Real error_difference = (difference.p_rel - (2e5 + 5e7*time - (1e6 + 1e7*sin(10*time))))/1e6;
  // inertia and friction
  PrescribedPressure pressure(p = 1e6);
  FluidInertia inertia(L = 4, A = 1e-4, rho = 800, q(start = 0, fixed = true));
  LaminarResistance friction(G = 1e-10);
  Tank sump(p = 0);
  Real error_inertia = (inertia.q - 1e-4*(1 - exp(-1e10/3.2e7*time)))/1e-4;
  // a volume emptied through an orifice: with u = (p^2 + a^4)^(1/4), 2u + a/2 ln((u - a)/(u + a)) - a atan(u/a) falls in proportion to time
  Volume bottle(V = 1e-3, beta = 1e9, p(start = 1e6, fixed = true));
  Orifice hole(A = 1e-6, nu = 1e-3, Re_cr = 100, Cd = 0.6, rho = 800);
  parameter Real a = sqrt(400)*100*1e-3/(0.6*sqrt(4e-6/pi)) "square root of the pressure of transition";
  Real u = (bottle.p^2 + a^4)^0.25, u0 = (1e12 + a^4)^0.25;
  Real error_orifice = (2*(u - u0) + a/2*log((u - a)/(u0 - a)*(u0 + a)/(u + a)) - a*(atan(u/a) - atan(u0/a)) + 0.6*1e-6*sqrt(2/800)*1e12*time)/1e3;
  // creeping flow through a hole (Sampson)
  PrescribedPressure little(p = 1e-4*time);
  Orifice creeping(A = pi*1e-6, rho = 900, nu = 1e-4);
  Real error_creeping = (creeping.q - 8e-9*1e-4*time/(24*900*1e-4))/1e-13;
  // pipes: laminar by Hagen and Poiseuille, turbulent by Colebrook and White, of which Churchill's formula is an approximation,
  // and by values of that formula computed elsewhere
  PrescribedFlow pumped(q = 2e-5*time), much(q = 1e-2), some(q = 3000*pi*0.05*1e-6/4);
  Pipe laminar(L = 3, D = 0.01, rho = 900, nu = 1e-4), rough(L = 10, D = 0.05, roughness = 5e-5, rho = 1000, nu = 1e-6), between(L = 10, D = 0.05, rho = 1000, nu = 1e-6);
  Real error_laminar = (laminar.dp - 128*900*1e-4*3/(pi*1e-8)*2e-5*time)/1e5;
  Real f = rough.dp/(10/0.05*500*(1e-2/(pi/4*0.0025))^2), colebrook(start = 0.02);
  Real error_rough = if abs(f/colebrook - 1) < 0.02 then 0 else 1;
  Real error_churchill[2] = {f/0.02090597075456649 - 1, between.dp/(0.042974656317745795*10/0.05*500*(some.q/(pi/4*0.0025))^2) - 1};
  // the second mode of a closed line: p as cos(2 pi (i - 1/2)/n), damped
  parameter Integer n = 6;
  Line line(L = 120, D = 0.02, n = n, rho = 850, nu = 1e-4, beta = 1.2e9,
    p(start = {1e6*(3 + cos(2*pi*(i - 0.5)/n)) for i in 1:n}, each fixed = true), q(each start = 0, fixed = {i > 1 and i <= n for i in 1:n + 1}));
  parameter Real damping = 16*1e-4/0.02^2 "R/(2 I)";
  parameter Real omega = sqrt((2*n*sin(pi/n)/120)^2*1.2e9/850 - damping^2);
  Real error_line[n] = {(line.p[i] - 1e6*(3 + cos(2*pi*(i - 0.5)/n)*exp(-damping*time)*(cos(omega*time) + damping/omega*sin(omega*time))))/1e6 for i in 1:n};
  // a line of one cell that a pressure sets in motion: both flows are equal, and its pressure is the mean
  PrescribedPressure ahead(p = 3e6);
  FlowSensor enters, leaves;
  Line single(L = 10, D = 0.01, n = 1, rho = 850, nu = 1e-4, p(each start = 1.5e6, each fixed = true), q(each start = 0, each fixed = true));
  Real q_single = 3e6*pi*1e-8/(128*1e-4*850*10)*(1 - exp(-32*1e-4/1e-4*time));
  Real error_single[3] = {(enters.q - q_single)/1e-4, (leaves.q - q_single)/1e-4, (single.p[1] - 1.5e6)/1e6};
  // valves on a pressure that swings from -4 bar to 4 bar
  PrescribedPressure swing(p = 4e5*sin(20*time));
  CheckValve check(A = 1e-5, A_leak = 0, nu = 1e-9, Cd = 0.6, rho = 800, p_crack = 1e5, p_open = 2e5);
  ReliefValve relief(A = 1e-5, A_leak = 1e-8, nu = 1e-5, p_set = 2e5, p_range = 1e6);
  VariableOrifice variable(A = 1e-5, A_leak = 0, opening = 2*cos(10*time));
  Real error_check = (check.q - noEvent(if swing.p > 1e5 then 6e-6*min(1, swing.p/1e5 - 1)*sqrt(2*swing.p/800) else 0))/1e-4;
  Real error_relief = (relief.q - orificeFlow(swing.p, 1e-8 + 9.99e-6*noEvent(max(0, swing.p/1e6 - 0.2)), 0.61, sqrt(4e-5/pi), 860, 1e-5, 12*pi*0.61^2))/1e-4;
  Real error_variable = (variable.q - orificeFlow(swing.p, 1e-5*noEvent(max(0, min(1, 2*cos(10*time)))), 0.61, sqrt(4e-5/pi), 860, 40e-6, 12*pi*0.61^2))/1e-4;
equation
  connect(supply.port, throttle.port_a);
  connect(throttle.port_b, meter.port_a);
  connect(meter.port_b, chamber.port);
  connect(constantFlow.port, first.port);
  connect(changing.port, second.port);
  connect(gauge.port, first.port);
  connect(difference.port_a, first.port);
  connect(difference.port_b, second.port);
  connect(pressure.port, inertia.port_a);
  connect(inertia.port_b, friction.port_a);
  connect(friction.port_b, sump.port);
  connect(bottle.port, hole.port_a);
  connect(hole.port_b, sump.port);
  connect(little.port, creeping.port_a);
  connect(creeping.port_b, sump.port);
  connect(pumped.port, laminar.port_a);
  connect(laminar.port_b, sump.port);
  connect(much.port, rough.port_a);
  connect(rough.port_b, sump.port);
  1/sqrt(colebrook) = -2*log10(1e-3/3.7 + 2.51/(abs(rough.Re)*sqrt(colebrook)));
  connect(some.port, between.port_a);
  connect(between.port_b, sump.port);
  connect(ahead.port, enters.port_a);
  connect(enters.port_b, single.port_a);
  connect(single.port_b, leaves.port_a);
  connect(leaves.port_b, sump.port);
  connect(swing.port, check.port_a);
  connect(swing.port, relief.port_a);
  connect(swing.port, variable.port_a);
  connect(check.port_b, sump.port);
  connect(relief.port_b, sump.port);
  connect(variable.port_b, sump.port);
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-8));
end HydraulicParts;
