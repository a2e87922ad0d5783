model Networks "linear electrical components against closed forms"
  import Daedal.Electrical.*;
  import Daedal.Blocks;
  Ground g;
  // a step of U on R and C in series, and on R, L in series with two inductors
  ConstantVoltage u(V = 10);
  Resistor r1(R = 2);
  Capacitor c1(C = 0.25, v(start = 1, fixed = true));
  CurrentSensor amps;
  VoltageSensor volts;
  PotentialSensor potential;
  PowerSensor power;
  Resistor r2(R = 4);
  Inductor l1(L = 0.5, i(fixed = true)), l2(L = 1.5);
  Real error_rc = c1.v - (10 - 9*exp(-time/0.5));
  Real error_amps = amps.i - 4.5*exp(-2*time);
  Real error_volts = volts.v - c1.v;
  Real error_potential = potential.phi - c1.v;
  Real error_power = power.power - c1.v*c1.i;
  Real error_rl = l2.i - 2.5*(1 - exp(-2*time));
  // parallel capacitors share their charge; G and C
  Capacitor c2(C = 1, v(start = 3, fixed = true)), c3(C = 2);
  Conductor g1(G = 0.6);
  Real error_gc = c3.v - 3*exp(-0.2*time);
  // an oscillating circuit
  Capacitor c4(C = 0.1, v(start = 2, fixed = true));
  Inductor l4(L = 0.4, i(fixed = true));
  Real error_lc = c4.v - 2*cos(5*time);
  // a resistor whose resistance is a signal, at a constant current
  ConstantCurrent i5(I = -2);
  VariableResistor r5;
  Blocks.Ramp ramp5(height = 3, duration = 2, offset = 1);
  Real error_r5 = r5.v - 2*(1 + 1.5*time);
  // coupled coils with M = sqrt(L1 L2)/2: the second one has no current
  ConstantVoltage u6(V = 1);
  Transformer coils(L1 = 2, L2 = 0.5, M = 0.5, i1(fixed = true));
  Real error_coils[4] = {coils.i1 - 0.5*time, coils.v2 - 0.25, coils.i2, coils.p2.v - 1.25};
  // the same loaded by a resistor of 1 Ohm, as eigenvalues of {2 i1' + 0.5 i2' = 0 (shorted), 0.5 i1' + 0.5 i2' = -i2}
  Transformer shorted(L1 = 2, L2 = 0.5, M = 0.5, i1(start = 1), i2(start = 1, fixed = true));
  Resistor r7(R = 1);
  Real error_shorted[2] = {shorted.i2 - exp(-time/0.375), 2*shorted.i1 + 0.5*shorted.i2 - 2*shorted_flux};
  parameter Real shorted_flux(fixed = false) "half the flux of a coil without resistance stays";
  // an ideal transformer carries a resistance over by n^2, a gyrator turns a capacitor into an inductor
  ConstantVoltage u8(V = 6);
  IdealTransformer ideal(n = 3);
  Resistor r8(R = 2);
  Real error_ideal[2] = {ideal.i1 - 6/18.0, r8.v - 2};
  ConstantVoltage u9(V = 2);
  Gyrator gyrator(G = 0.5);
  Capacitor c9(C = 0.2, v(fixed = true));
  Real error_gyrator = gyrator.i1 - 0.5/0.2*time;
initial equation
  2*shorted.i1 + 0.5*shorted.i2 = 2*shorted_flux;
equation
  connect(u.p, r1.p);
  connect(r1.n, amps.p);
  connect(amps.n, power.pc);
  connect(power.nc, c1.p);
  connect(power.pv, c1.p);
  connect(power.nv, g.p);
  connect(c1.n, g.p);
  connect(volts.p, c1.p);
  connect(volts.n, c1.n);
  connect(potential.p, c1.p);
  connect(u.p, r2.p);
  connect(r2.n, l1.p);
  connect(l1.n, l2.p);
  connect(l2.n, g.p);
  connect(u.n, g.p);
  connect(c2.p, c3.p);
  connect(c2.p, g1.p);
  connect(c2.n, g.p);
  connect(c3.n, g.p);
  connect(g1.n, g.p);
  connect(c4.p, l4.p);
  connect(c4.n, g.p);
  connect(l4.n, g.p);
  connect(i5.p, r5.p);
  connect(i5.n, g.p);
  connect(r5.n, g.p);
  connect(ramp5.y, r5.R);
  connect(u6.p, coils.p1);
  connect(u6.n, g.p);
  connect(coils.n1, g.p);
  connect(coils.n2, u6.p);
  connect(shorted.p1, shorted.n1);
  connect(shorted.n1, g.p);
  connect(shorted.p2, r7.p);
  connect(shorted.n2, g.p);
  connect(r7.n, g.p);
  connect(u8.p, ideal.p1);
  connect(u8.n, g.p);
  connect(ideal.n1, g.p);
  connect(ideal.p2, r8.p);
  connect(ideal.n2, g.p);
  connect(r8.n, g.p);
  connect(u9.p, gyrator.p1);
  connect(u9.n, g.p);
  connect(gyrator.n1, g.p);
  connect(gyrator.p2, c9.p);
  connect(gyrator.n2, g.p);
  connect(c9.n, g.p);
  annotation(experiment(StopTime = 2));
end Networks;
