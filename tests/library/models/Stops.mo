model Stops "backlash and stops, rotational and translational, against closed forms"
  import Modelica.Constants.pi;
  import R = Daedal.Rotational;
  import T = Daedal.Translational;
  // between flanks without damping: free for 0.5 s, in contact for half a period of the frequency 2 rad/s
  R.Fixed wall(phi0 = 1);
  R.ElastoBacklash backlash(c = 4, d = 0, b = 0.5, phi_rel0 = -1);
  R.Inertia j(J = 1, w(start = 1, fixed = true), phi(start = 0, fixed = true));
  Real half = 0.5 + pi/2, into = mod(time + 0.25, 2*half), part = if into < half then into else into - half;
  Real error_backlash = j.phi - (if into < half then 1 else -1)*(if part < 0.5 then part - 0.25 else 0.25 + 0.5*sin(2*part - 1));
  // with damping the flank pushes until 5*x + 2*v = 0, and does not pull
  R.ElastoBacklash damped(c = 5, d = 2, b = 20, phi_rel0 = 9);
  R.Fixed ground;
  R.Inertia k(J = 1, w(start = -3, fixed = true), phi(start = -0.4, fixed = true));
  parameter Real t0 = 0.2 "contact begins", t1 = (pi - atan(4/3))/2 "and ends so much later", w1 = 3*exp(-t1);
  Real since = time - t0;
  Real error_damped = k.w - (if since < 0 then -3 elseif since < t1 then -1.5*exp(-since)*(2*cos(2*since) - sin(2*since)) else w1);
  R.ElastoBacklash mirrored(c = 5, d = 2, b = 20, phi_rel0 = -9) "the same at the other flank";
  R.Inertia k2(J = 1, w(start = 3, fixed = true), phi(start = 0.4, fixed = true));
  Real error_mirrored = k2.w + k.w;
  // the same falling onto a stop, which is touched where s_rel is 0.1
  T.Fixed floor(s0 = 1);
  T.ElastoGap gap(c = 5, d = 2, s_rel0 = 0.1);
  T.Mass m(m = 1, L = 0.2, s(start = 1.8, fixed = true), v(start = -3, fixed = true));
  Real error_gap = m.v - k.w;
  // a rigid stop: two bodies go on together, until a force parts them
  T.Mass m1(m = 2, s(start = 1, fixed = true), v(start = -1, fixed = true)), m2(m = 1, s(fixed = true), v(fixed = true));
  T.RigidGap rigid;
  T.ForceStep force(stepForce = 2, startTime = 2);
  Real error_rigid[2] = {m1.v - (if time < 1 then -1 else -2/3.0 + max(0, time - 2)), m2.v - (if time < 1 then 0 else -2/3.0)};
  // stops with a rebound: falls onto the lower one, is thrown back twice, rests, and is lifted to the upper one.
  // A lever carries the blow on to a second body: together they have the mass 0.5 + 2/2^2 = 1
  T.RigidStop stop(s_min = 0, s_max = 2, e = 0.25, v_small = 0.05);
  T.Mass m3(m = 0.5, L = 0.2, s(start = 1.1, fixed = true), v(fixed = true)), m4(m = 2);
  T.IdealLever lever(ratio = 2);
  T.Force lift;
  Real s3 = if time < 1 then 1 - time^2 elseif time < 1.5 then (time - 1)*(1.5 - time) elseif time < 1.625 then (time - 1.5)*(1.625 - time)
    elseif time < 2.5 then 0 elseif time < 4.5 then (time - 2.5)^2/2 elseif time < 5.5 then 2 - (time - 4.5)*(5.5 - time)/2
    elseif time < 5.75 then 2 - (time - 5.5)*(5.75 - time)/2 else 2;
  Real error_stop[4] = {m3.s - 0.1 - s3, 2*m4.s - m3.s - 0.1, stop.v - m3.v,
    stop.f - (if time > 1.625 and time < 2.5 then 2 elseif time > 5.75 then -1 else 0)};
equation
  connect(stop.flange, m3.flange_a);
  connect(lift.flange, m3.flange_a);
  lift.f = if time < 2.5 then -2 else 1;
  connect(m3.flange_b, lever.flange_a);
  connect(lever.flange_b, m4.flange_a);
  connect(wall.flange, backlash.flange_a);
  connect(backlash.flange_b, j.flange_a);
  connect(ground.flange, damped.flange_a);
  connect(ground.flange, mirrored.flange_a);
  connect(mirrored.flange_b, k2.flange_a);
  connect(damped.flange_b, k.flange_a);
  connect(floor.flange, gap.flange_a);
  connect(gap.flange_b, m.flange_a);
  connect(m2.flange_b, rigid.flange_a);
  connect(rigid.flange_b, m1.flange_a);
  connect(force.flange, m1.flange_b);
  annotation(experiment(StopTime = 6));
end Stops;
