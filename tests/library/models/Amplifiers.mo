model Amplifiers "controlled sources, operational amplifiers, switches, diodes of one path"
  import Modelica.Constants.pi;
  import Daedal.Electrical.*;
  import Daedal.Blocks;
  Ground g;
  SineVoltage u(V = 2, f = 0.5);
  Real u_0 = 2*sin(pi*time);
  // controlled sources, each with a load of 1 Ohm; those controlled by a current carry that of u through 4 Ohm
  VCV vcv(gain = 3);
  VCC vcc(transConductance = 0.5);
  CCV ccv(transResistance = 8);
  CCC ccc(gain = 4);
  Resistor loads[4](each R = 1), r4(R = 4);
  Real error_controlled[4] = {loads[1].v - 3*u_0, loads[2].v + 0.5*u_0, loads[3].v - 2*u_0, loads[4].v + u_0};
  // inverting amplifiers of gain -10: ideal, with limits of 5 V, and of the gain 1000 with limits
  IdealOpAmp ideal;
  IdealOpAmpLimited limited(Vps = 5, Vns = -4);
  OpAmp real(V0 = 1000, Vps = 5, Vns = -5);
  Resistor ri[3](each R = 1e3), rf[3](each R = 1e4);
  Real real_0 = -10*u_0/(1 + 11/1000.0);
  Real error_inverting[3] = {ideal.v_out + 10*u_0, limited.v_out - min(5, max(-4, -10*u_0)), real.v_out - min(5, max(-5, real_0))};
  Real error_summing_point = limited.in_n.v - (10*u_0 + limited.v_out)/11;
  // an integrator and a follower
  IdealOpAmp integrating, follower;
  Resistor r5(R = 1e4);
  Capacitor c5(C = 1e-4, v(fixed = true));
  Real error_integrator[2] = {integrating.v_out + 2*(1 - cos(pi*time))/pi, follower.v_out - integrating.v_out};
  // switches: a capacitor is charged from 0.5 to 1.5, and then discharged
  ConstantVoltage u6(V = 1);
  IdealClosingSwitch on(Ron = 0, Goff = 0);
  IdealOpeningSwitch off(Ron = 0, Goff = 0);
  Blocks.BooleanPulse command(period = 10, width = 10, startTime = 0.5);
  Resistor r6(R = 1), r7(R = 0.5);
  Capacitor c6(C = 1, v(fixed = true));
  Real error_switched = c6.v - (if time < 0.5 then 0 elseif time < 1.5 then 1 - exp(0.5 - time) else (1 - exp(-1))*exp(3 - 2*time));
  // exponential diode at a given current: v = Vt*ln(1 + (i - v/R)/Ids), R being very large
  ConstantCurrent i8(I = -1e-3);
  Diode d8(Ids = 1e-9, Vt = 0.026, R = 1e12);
  Real error_diode = d8.v - 0.026*log(1 + 1e6);
  // beyond Maxexp the straight line i = Ids*(exp(m)*(1 + v/Vt - m) - 1)
  ConstantCurrent i9(I = -2e-9*exp(10) + 1e-9);
  Diode d9(Ids = 1e-9, Vt = 0.026, Maxexp = 10, R = 1e12);
  Real error_straight = d9.v - 0.026*11;
equation
  connect(u.n, g.p);
  connect(u.p, vcv.p1);
  connect(vcv.n1, g.p);
  connect(u.p, vcc.p1);
  connect(vcc.n1, g.p);
  connect(u.p, r4.p);
  connect(r4.n, ccv.p1);
  connect(ccv.n1, ccc.p1);
  connect(ccc.n1, g.p);
  connect(vcv.p2, loads[1].p);
  connect(vcc.p2, loads[2].p);
  connect(ccv.p2, loads[3].p);
  connect(ccc.p2, loads[4].p);
  connect(vcv.n2, g.p);
  connect(vcc.n2, g.p);
  connect(ccv.n2, g.p);
  connect(ccc.n2, g.p);
  for k in 1:4 loop
    connect(loads[k].n, g.p);
  end for;
  for k in 1:3 loop
    connect(u.p, ri[k].p);
    connect(ri[k].n, rf[k].p);
  end for;
  connect(ri[1].n, ideal.in_n);
  connect(ri[2].n, limited.in_n);
  connect(ri[3].n, real.in_n);
  connect(rf[1].n, ideal.out);
  connect(rf[2].n, limited.out);
  connect(rf[3].n, real.out);
  connect(ideal.in_p, g.p);
  connect(limited.in_p, g.p);
  connect(real.in_p, g.p);
  connect(u.p, r5.p);
  connect(r5.n, integrating.in_n);
  connect(integrating.in_p, g.p);
  connect(r5.n, c5.p);
  connect(c5.n, integrating.out);
  connect(integrating.out, follower.in_p);
  connect(follower.in_n, follower.out);
  connect(u6.n, g.p);
  connect(u6.p, r6.p);
  connect(r6.n, on.p);
  connect(on.n, c6.p);
  connect(c6.n, g.p);
  connect(c6.p, r7.p);
  connect(r7.n, off.p);
  connect(off.n, g.p);
  connect(command.y, on.control);
  off.control = time < 1.5;
  connect(i8.p, d8.p);
  connect(i8.n, g.p);
  connect(d8.n, g.p);
  connect(i9.p, d9.p);
  connect(i9.n, g.p);
  connect(d9.n, g.p);
  annotation(experiment(StopTime = 2));
end Amplifiers;
