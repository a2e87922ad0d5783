model HydraulicDrives "accumulator, pump, motor, cylinder and servo-valve beside their exact solutions"
  import Daedal.Hydraulic.*;
  import Daedal.Rotational.{Inertia, ConstantSpeed};
  import Daedal.Translational.{Mass, Fixed};
  import Modelica.Constants.pi;
  Tank sump(p = 0);
  // an accumulator that is filled from below its stop
  FixedFlow filling(q = 1e-4);
  Accumulator accumulator(V = 1e-3, p_pre = 5e6, n = 1.2, V_dead = 1e-4, beta = 1e9, V_oil(start = -1e-7, fixed = true));
  Real V_oil = 1e-4*time - 1e-7;
  Real error_accumulator = (accumulator.p - noEvent(if V_oil < 0 then 5e6 + 1e13*V_oil else 5e6*(1e-3/(1e-3 - V_oil))^1.2))/1e6;
  // pump, volume and motor with leakage and friction: a damped oscillation
  Tank reservoir(p = 1e5);
  ConstantSpeed engine(w_fixed = 100);
  Pump pump(D = 2*pi*1e-5, d = 0.02);
  Volume hose(V = 1e-3, beta = 1e9, p(start = 1e5, fixed = true));
  Motor motor(D = 2*pi*2e-5, G = 1e-11, d = 0.01);
  Inertia load(J = 0.2, w(start = 0, fixed = true), phi(start = 0, fixed = true));
  parameter Real JC = 0.2*1e-12, delta = (1e-11*0.2 + 0.01*1e-12)/(2*JC), w0 = sqrt((4e-10 + 1e-13)/JC), w1 = sqrt(w0^2 - delta^2);
  parameter Real w_end = 2e-5*1e-3/(4e-10 + 1e-13);
  Real error_motor = (load.w - w_end*(1 - exp(-delta*time)*(cos(w1*time) + delta/w1*sin(w1*time))))/10;
  Real error_pump = pump.flange.tau - (2 + 1e-5*(hose.p - 1e5)) "power in equals power out";
  // a mass between two cushions of oil: pressures by the way, energy kept
  Cylinder cushion(A_a = 1e-3, A_b = 8e-4, stroke = 0.4, V_a = 1e-4, V_b = 1e-4, beta = 1e9,
    p_a(start = 2.1e6, fixed = true), p_b(start = 1e6, fixed = true));
  Fixed wall(s0 = 0.5);
  Mass mass(m = 100, s(start = 0.7, fixed = true), v(start = 1, fixed = true));
  Real x = mass.s - 0.5;
  Real Va = (1e-4 + 1e-3*x)/3e-4, Vb = (1e-4 + 8e-4*(0.4 - x))/2.6e-4;
  Real error_cushion[2] = {(cushion.p_a - (2.1e6 - 1e9*log(Va)))/1e6, (cushion.p_b - (1e6 - 1e9*log(Vb)))/1e6};
  Real error_energy = 50*(mass.v^2 - 1) - (3e-4*(2.1e6*(Va - 1) - 1e9*(Va*log(Va) - Va + 1)) + 2.6e-4*(1e6*(Vb - 1) - 1e9*(Vb*log(Vb) - Vb + 1)) - 101325*2e-4*(x - 0.2));
  Real error_reaction = (wall.flange.f + 100*mass.a)/1000;
  // two masses, each of which rebounds from a stop: 1/2 c s^2 - m/d (v + ln(1 - d v)/d) is kept, with s inwards and v outwards
  Cylinder lower(A_a = 1e-3, stroke = 0.1, c_stop = 1e4, d_stop = 0.3), upper(A_a = 1e-3, stroke = 0.1, c_stop = 1e4, d_stop = 0.3);
  Mass down(m = 2, s(start = 0.05, fixed = true), v(start = -0.5, fixed = true)), up(m = 2, s(start = 0.05, fixed = true), v(start = 0.5, fixed = true));
  Fixed base;
  Tank open;
  Real error_stop[2] = {if down.s < 0 then kept(-down.s, down.v) else 0, if up.s > 0.1 then kept(up.s - 0.1, -up.v) else 0};
  Real error_rebound = if time > 0.2 and time < 0.3 then kept(0, down.v) else 0;
  function kept "less its value at the first contact"
    input Real s, v;
    output Real e = 0.5e4*s^2 - 2/0.3*(v + log(1 - 0.3*v)/0.3 + 0.5 - log(1.15)/0.3);
  end kept;
  // a servo-valve after a step
  ServoValve servo(A = 1e-5, w0 = 200, D = 0.6, u = 0.5), slow(A = 1e-5, order = 1, w0 = 50, u = -3), quick(A = 1e-5, order = 0, u = 0.3);
  Tank high(p = 2e7);
  Real error_spool = servo.x - 0.5*(1 - exp(-120*time)*(cos(160*time) + 0.75*sin(160*time)));
  Real error_slow = slow.x + 1 - exp(-50*time);
  Real error_servo[2] = {servo.port_p.q - q(servo.x) - q(-servo.x), (servo.port_a.q - q(-servo.x)) + q(servo.x)}*1e4;
  Real error_slow_flow[3] = {slow.port_b.q + q(-slow.x) - q(slow.x), slow.port_t.q + q(slow.x) + q(-slow.x), quick.port_p.q - q(0.3) - q(-0.3)}*1e4;
  function q "flow of an edge at 100 bar"
    input Real x;
    output Real q = orificeFlow(1e7, 1e-5*(x + sqrt(x^2 + 2.5e-5))/2, 0.61, sqrt(4e-5/pi), 860, 40e-6, 12*pi*0.61^2);
  end q;
  PrescribedPressure half(p = 1e7);
equation
  connect(wall.flange, cushion.flange_a);
  connect(cushion.flange_b, mass.flange_a);
  connect(filling.port, accumulator.port);
  connect(engine.flange, pump.flange);
  connect(reservoir.port, pump.port_a);
  connect(pump.port_b, hose.port);
  connect(hose.port, motor.port_a);
  connect(motor.port_b, reservoir.port);
  connect(motor.flange, load.flange_a);
  connect(open.port, lower.port_a);
  connect(open.port, lower.port_b);
  connect(base.flange, lower.flange_a);
  connect(lower.flange_b, down.flange_a);
  connect(open.port, upper.port_a);
  connect(open.port, upper.port_b);
  connect(base.flange, upper.flange_a);
  connect(upper.flange_b, up.flange_a);
  connect(high.port, servo.port_p);
  connect(half.port, servo.port_a);
  connect(half.port, servo.port_b);
  connect(sump.port, servo.port_t);
  connect(high.port, slow.port_p);
  connect(half.port, slow.port_a);
  connect(half.port, slow.port_b);
  connect(sump.port, slow.port_t);
  connect(high.port, quick.port_p);
  connect(half.port, quick.port_a);
  connect(half.port, quick.port_b);
  connect(sump.port, quick.port_t);
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-8));
end HydraulicDrives;
