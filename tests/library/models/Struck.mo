model Struck "what stops throw back on springs and against forces, against closed forms and other equations"
  import Daedal.Translational.*;
  // one of two masses on a spring is thrown back from -1 to 0.5 m/s, and the spring takes no part in that: from there
  // on their middle has -0.25 m/s, and they swing with 40 /s^2 about it, until the struck one would come back
  Mass a1(m = 1, s(start = 0, fixed = true), v(start = -1, fixed = true)), b1(m = 1, s(start = 1, fixed = true), v(start = -1, fixed = true));
  Spring k1(c = 20, s_rel0 = 1);
  RigidStop r1(s_min = 0.5, s_max = 9, e = 0.5);
  parameter Real w1 = sqrt(40);
  Real t1 = max(0, time - 0.5), half1 = 0.75*sin(w1*t1)/w1;
  Real error_spring[2] = if time < 0.9 then {a1.s - (if time < 0.5 then -time else -0.5 - 0.25*t1 - half1),
    b1.s - (if time < 0.5 then 1 - time else 0.5 - 0.25*t1 + half1)} else {0, 0};
  // a stop without a rebound, against a force that pulls off: the body stands there, and leaves at once
  Mass m2(m = 1, s(start = 1, fixed = true), v(start = -3, fixed = true));
  RigidStop r2(s_min = 0, s_max = 50, e = 0);
  ConstantForce f2(f_constant = 2);
  parameter Real t2 = (3 - sqrt(5))/2 "where 1 - 3 t + t^2 = 0";
  Real error_pulled = m2.s - (if time < t2 then 1 - 3*time + time^2 else (time - t2)^2);
  // a force that swings leads the rebound back long before its mean would: whatever the restitutions, both bodies rest
  // before the force lifts them off, where sin(3 t) = 1/2, and go on alike to the next impact
  Mass m3(m = 1, s(start = 0, fixed = true), v(start = -1, fixed = true)), n3(m = 1, s(start = 0, fixed = true), v(start = -1, fixed = true));
  RigidStop r3(s_min = -0.5, s_max = 50, e = 0.1), q3(s_min = -0.5, s_max = 50, e = 0);
  Force f3, g3;
  parameter Real t3 = 13*Modelica.Constants.pi/18 "lifts off";
  Real error_rests[2] = if time > t3 and time < 3.8 then {m3.s - n3.s, m3.v - n3.v} else {0, 0};
  // a friction on one mass of a chain, the other end of which strikes a stop: the friction takes no part in the blow
  Mass a4(m = 1, s(start = 0, fixed = true), v(start = 1, fixed = true)), b4(m = 1, s(start = 1, fixed = true), v(start = 1, fixed = true));
  Spring k4(c = 10, s_rel0 = 1);
  Friction f4(f_slip = 1);
  RigidStop r4(s_min = -9, s_max = 1.3, e = 1);
  Real v4(start = 0, fixed = true) "what the friction and the spring make of the speed of a4";
  Real error_chain = a4.v - 1 - v4;
equation
  connect(a1.flange_b, k1.flange_a);
  connect(k1.flange_b, b1.flange_a);
  connect(b1.flange_b, r1.flange);
  connect(m2.flange_a, r2.flange);
  connect(m2.flange_b, f2.flange);
  connect(m3.flange_a, r3.flange);
  connect(m3.flange_b, f3.flange);
  connect(n3.flange_a, q3.flange);
  connect(n3.flange_b, g3.flange);
  f3.f = 4*sin(3*time) - 2;
  g3.f = f3.f;
  connect(f4.flange_a, a4.flange_a);
  connect(a4.flange_b, k4.flange_a);
  connect(k4.flange_b, b4.flange_a);
  connect(b4.flange_b, r4.flange);
  der(v4) = (k4.f - f4.f)/a4.m;
  annotation(experiment(StopTime = 4));
end Struck;
