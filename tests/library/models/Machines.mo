model Machines "electrical machines against closed forms"
  import Daedal.Electrical.*;
  import Daedal.Rotational;
  import Daedal.Translational;
  Ground g;
  ConstantVoltage u(V = 4);
  Real w_0 = 2*(1 - 2*exp(-time) + exp(-2*time)) "of eigenvalues -1 and -2", i_0 = 4*(exp(-time) - exp(-2*time));
  DCMotor motor(R = 3, L = 1, k = 2, J = 0.5, i(fixed = true), w(fixed = true));
  Rotational.Inertia load(J = 1.5);
  Real error_motor[2] = {motor.i - i_0, load.w - w_0};
  // friction of the rotor: stalled at R*i = V - k*w, k*i = d*w, w = 4*2/(4 + 3*d)
  DCMotor rubbing(R = 3, L = 0, k = 2, J = 0, d = 4/3.0);
  Real error_rubbing[2] = {rubbing.w - 1, rubbing.i - 2/3.0};
  // the same of single parts, and for a body that slides
  Resistor r(R = 3), r2(R = 3);
  Inductor l(L = 1, i(fixed = true)), l2(L = 1, i(fixed = true));
  EMF emf(k = 2);
  Rotational.Inertia j(J = 2, w(fixed = true), phi(fixed = true));
  Real error_emf[2] = {l.i - i_0, j.w - w_0};
  TranslationalEMF linear(k = 2);
  Translational.Mass m(m = 2, v(fixed = true), s(fixed = true));
  Real error_linear[3] = {l2.i - i_0, m.v - w_0, m.s - (2*time - 4*(1 - exp(-time)) + 1 - exp(-2*time))};
  // a resistor that heats a capacity: C*T' = i^2*R, R = 2*(1 + 0.01*(T - 300)), at 2 A a linear equation
  ConstantCurrent amps(I = -2);
  HeatingResistor heater(R_ref = 2, T_ref = 300, alpha = 0.01);
  Daedal.Thermal.HeatCapacitor body(C = 0.16, T(start = 300, fixed = true));
  Real error_heater[2] = {(body.T - 300)/100 - (exp(time/2) - 1), heater.v - 4*exp(time/2)};
equation
  connect(amps.p, heater.p);
  connect(amps.n, g.p);
  connect(heater.n, g.p);
  connect(heater.heatPort, body.port);
  connect(u.n, g.p);
  connect(u.p, motor.p);
  connect(motor.n, g.p);
  connect(motor.flange, load.flange_a);
  connect(u.p, rubbing.p);
  connect(rubbing.n, g.p);
  connect(u.p, r.p);
  connect(r.n, l.p);
  connect(l.n, emf.p);
  connect(emf.n, g.p);
  connect(emf.flange, j.flange_a);
  connect(u.p, r2.p);
  connect(r2.n, l2.p);
  connect(l2.n, linear.p);
  connect(linear.n, g.p);
  connect(linear.flange, m.flange_a);
  annotation(experiment(StopTime = 3));
end Machines;
