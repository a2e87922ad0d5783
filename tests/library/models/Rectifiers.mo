model Rectifiers "diodes, thyristors and freewheeling against closed forms; at 2 s many of them switch at once"
  import Modelica.Constants.pi;
  import Daedal.Electrical.*;
  import Daedal.Blocks;
  Ground g;
  SineVoltage u(V = 10, f = 0.5);
  Real u_0 = 10*sin(pi*time);
  // one way, with the load 3 Ohm and 2 H: in each period until the current has decayed
  IdealDiode d1(Ron = 0, Goff = 0);
  Resistor r1(R = 3);
  Inductor l1(L = 2, i(fixed = true));
  Real into = mod(time, 2), Z = sqrt(9 + 4*pi^2), lag = atan(2*pi/3);
  Real error_one_way = d1.i - max(0, 10/Z*(sin(pi*into - lag) + sin(lag)*exp(-1.5*into)));
  // with a threshold and a resistance: i = max(0, u - 0.7)/(1 + 0.5)
  IdealDiode d2(Ron = 0.5, Goff = 0, Vknee = 0.7);
  Resistor r2(R = 1);
  Real error_threshold = d2.i - max(0, u_0 - 0.7)/1.5;
  // a conductance where it blocks: v = u*1/(1 + 0.01) there
  IdealDiode d3(Ron = 0, Goff = 0.01);
  Resistor r3(R = 1);
  Real error_leak = d3.i - (if u_0 > 0 then u_0 else 0.01*u_0/1.01);
  // thyristors fired at 0.7 s and at 2.7 s; one that can be switched off at 0.9 s and 2.9 s
  IdealThyristor t4(Ron = 0, Goff = 0);
  IdealGTOThyristor t5(Ron = 0, Goff = 0);
  Blocks.BooleanPulse fire(period = 2, width = 10, startTime = 0.7);
  Resistor r4(R = 2), r5(R = 2);
  Real error_thyristor = t4.i - (if into > 0.7 and into < 1 then u_0/2 else 0);
  Real error_gto = t5.i - (if into > 0.7 and into < 0.9 then u_0/2 else 0);
  // a bridge of four ideal diodes
  SineVoltage u6(V = 10, f = 0.5);
  IdealDiode bridge[4](each Ron = 1e-3, each Goff = 1e-6);
  Resistor r6(R = 2);
  Real error_bridge = r6.v - ratio*abs(u_0);
  parameter Real ratio = (1e3 - 1e-6)/(1e3 + 1e-6 + 1) "of two potentials that dividers of 1 mOhm and 1 MOhm give, loaded by 2 Ohm";
  // converters that lower a voltage, shifted by 0 and 0.5 s: as the switch opens, the diode takes over
  ConstantVoltage u7(V = 5);
  IdealClosingSwitch s7[2](each Ron = 0, each Goff = 0);
  IdealDiode d7[2](each Ron = 0, each Goff = 0);
  Inductor l7[2](each L = 1, each i(fixed = true));
  Resistor r7[2](each R = 1);
  Real first = 5*(1 - exp(-1)), second = 5 + (first*exp(-1) - 5)*exp(-1) "the largest currents", t[2] = {time, time - 0.5};
  Real error_lowered[2] = {l7[k].i - (if t[k] < 0 then 0 elseif t[k] < 1 then 5*(1 - exp(-t[k])) elseif t[k] < 2 then first*exp(1 - t[k])
    elseif t[k] < 3 then 5 + (first*exp(-1) - 5)*exp(2 - t[k]) else second*exp(3 - t[k])) for k in 1:2};
equation
  connect(u.n, g.p);
  connect(u.p, d1.p);
  connect(d1.n, r1.p);
  connect(r1.n, l1.p);
  connect(l1.n, g.p);
  connect(u.p, d2.p);
  connect(d2.n, r2.p);
  connect(r2.n, g.p);
  connect(u.p, d3.p);
  connect(d3.n, r3.p);
  connect(r3.n, g.p);
  connect(u.p, t4.p);
  connect(t4.n, r4.p);
  connect(r4.n, g.p);
  connect(u.p, t5.p);
  connect(t5.n, r5.p);
  connect(r5.n, g.p);
  connect(fire.y, t4.fire);
  connect(fire.y, t5.fire);
  connect(u6.p, bridge[1].p);
  connect(u6.p, bridge[2].n);
  connect(u6.n, bridge[3].p);
  connect(u6.n, bridge[4].n);
  connect(bridge[1].n, r6.p);
  connect(bridge[3].n, r6.p);
  connect(bridge[2].p, r6.n);
  connect(bridge[4].p, r6.n);
  connect(r6.n, g.p);
  connect(u7.n, g.p);
  for k in 1:2 loop
    connect(u7.p, s7[k].p);
    connect(s7[k].n, l7[k].p);
    connect(d7[k].n, l7[k].p);
    connect(d7[k].p, g.p);
    connect(l7[k].n, r7[k].p);
    connect(r7[k].n, g.p);
    s7[k].control = t[k] >= 0 and mod(t[k], 2) < 1;
  end for;
  annotation(experiment(StopTime = 4));
end Rectifiers;
