model Blows "frictions that a blow turns round, sets going or hits, against closed forms"
  import Daedal.Translational.*;
  import R = Daedal.Rotational;
  // rebounds at sqrt(7) m/s, and rests at 0.875
  Mass m1(m = 1, s(start = 1, fixed = true), v(start = -3, fixed = true));
  RigidStop r1(s_min = 0, s_max = 5, e = 0.5);
  Friction f1(f_slip = 1);
  parameter Real t1 = 3 - sqrt(7), v1 = 0.5*sqrt(7);
  Real error_friction = m1.v - (if time < t1 then time - 3 else max(0, v1 - time + t1));
  // a released brake, and an open clutch, are not there
  Mass m2(m = 1, s(start = 1, fixed = true), v(start = -3, fixed = true));
  RigidStop r2(s_min = 0, s_max = 50, e = 0.5);
  Brake b2(f_max = 10, u = 0);
  IdealRackAndPinion p2(r = 0.1);
  R.Inertia j2(J = 1e-3), k2(J = 1e-3, w(start = 0, fixed = true), phi(start = 0, fixed = true));
  R.Clutch c2(tau_max = 10, u = 0);
  Real error_open[3] = {m2.v - (if time < 1/3.0 then -3 else 1.5), j2.w - 10*m2.v, k2.w};
  // a bearing behind a rack: 1.1 kg in all
  Mass m3(m = 1, s(start = 1, fixed = true), v(start = -3, fixed = true));
  RigidStop r3(s_min = 0, s_max = 50, e = 0.5);
  IdealRackAndPinion p3(r = 0.1);
  R.Inertia j3(J = 1e-3);
  R.BearingFriction f3(tau_slip = 0.11);
  Real error_bearing = m3.v - (if time < t1 then time - 3 else max(0, v1 - time + t1));
  // a body that sticks is hit, and both go on with 1 m/s; one with a released brake comes towards it
  Mass a4(m = 1, s(start = -1, fixed = true), v(start = 2, fixed = true)), b4(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
  RigidGap g4;
  Friction f4(f_slip = 1);
  Real error_hit[2] = {a4.v - (if time < 0.5 then 2 else max(0, 1.25 - time/2)), b4.v - (if time < 0.5 then 0 else max(0, 1.25 - time/2))};
  Mass a5(m = 1, s(start = -1, fixed = true), v(start = 2, fixed = true)), b5(m = 1, s(start = 0, fixed = true), v(start = -0.5, fixed = true));
  RigidGap g5;
  Brake f5(f_max = 10, u = 0);
  Real error_brake[2] = {a5.v - (if time < 0.4 then 2 else 0.75), b5.v - (if time < 0.4 then -0.5 else 0.75)};
  // a clutch that sticks slips after a blow on one of its shafts, until both have 2 rad/s
  R.Inertia a6(J = 1, phi(start = 0, fixed = true), w(start = 1, fixed = true)), b6(J = 2, phi(start = 0, fixed = true), w(start = 1, fixed = true));
  R.Clutch c6(tau_max = 1, u = 1);
  Real error_clutch[2] = {a6.w - (if time < 0.5 then 1 else max(2, 4.5 - time)), b6.w - (if time < 0.5 then 1 else min(2, 0.75 + time/2))};
equation
  connect(m1.flange_a, r1.flange);
  connect(m1.flange_b, f1.flange_a);
  connect(m2.flange_a, r2.flange);
  connect(m2.flange_b, b2.flange_a);
  connect(b2.flange_b, p2.flange_t);
  connect(p2.flange_r, j2.flange_a);
  connect(j2.flange_b, c2.flange_a);
  connect(c2.flange_b, k2.flange_a);
  connect(m3.flange_a, r3.flange);
  connect(m3.flange_b, p3.flange_t);
  connect(p3.flange_r, j3.flange_a);
  connect(j3.flange_b, f3.flange_a);
  connect(a4.flange_b, g4.flange_a);
  connect(g4.flange_b, b4.flange_a);
  connect(b4.flange_b, f4.flange_a);
  connect(a5.flange_b, g5.flange_a);
  connect(g5.flange_b, b5.flange_a);
  connect(b5.flange_b, f5.flange_a);
  connect(a6.flange_b, c6.flange_a);
  connect(c6.flange_b, b6.flange_a);
  when time > 0.5 then
    reinit(a6.w, 4);
    reinit(b6.w, pre(b6.w));
  end when;
  annotation(experiment(StopTime = 4));
end Blows;
