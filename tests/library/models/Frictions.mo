model Frictions "rotational friction, brakes, clutches, freewheels against closed forms"
  import Daedal.Rotational.*;
  import Daedal.Blocks;
  // runs out until 6 s, sticks, and breaks away at the torque 1.5
  BearingFriction bearing(tau_slip = 1, peak = 1.5);
  Inertia j1(J = 1.5, w(start = 3, fixed = true)), behind1(J = 0.5);
  Torque torque;
  Blocks.Ramp ramp(height = 4, duration = 4, startTime = 8);
  Real error_bearing = j1.w - (if time < 9.5 then max(0, 3 - time/2) else ((time - 9)^2 - 0.25)/4);
  Real error_torque = bearing.tau - (if time < 6 or time > 9.5 then 1 else max(0, time - 8));
  // with a viscous part
  BearingFriction viscous(tau_slip = 0.5, d = 0.25);
  Inertia j2(J = 1, w(start = -2, fixed = true));
  Real error_viscous = j2.w + max(0, 4*exp(-time/4) - 2);
  // a brake that is pressed from 1 s on
  Brake brake(tau_max = 4);
  Blocks.Ramp pressed(height = 1, duration = 2, startTime = 1);
  Inertia j3(J = 0.25, w(start = 2, fixed = true)), behind3(J = 0.75);
  Real error_brake = j3.w - (if time < 1 then 2 elseif time < 1 + sqrt(2) then 2 - (time - 1)^2 else 0);
  // a clutch takes a load along until both turn at 2 rad/s, and slips again
  Inertia j4(J = 1, w(start = 10, fixed = true)), j5(J = 4, w(fixed = true));
  Clutch clutch(tau_max = 8);
  TorqueStep step(stepTorque = 20, startTime = 2);
  Blocks.Constant closed(k = 1);
  Real error_clutch[2] = {j4.w - (if time < 1 then 10 - 8*time elseif time < 2 then 2 else 2 + 12*(time - 2)),
    j5.w - (if time < 1 then 2*time elseif time < 2 then 2 else 2 + 2*(time - 2))};
  // a freewheel lets its load overtake
  Blocks.TimeTable table(table = [0, 0; 1, 2; 2, 0; 3, 2; 4, 4; 15, 26]);
  Speed speed;
  OneWayClutch freewheel;
  Inertia j6(J = 1);
  ConstantTorque load(tau_constant = -0.5);
  Real error_freewheel = j6.w - (if time < 1 then 2*time elseif time < 2.6 then 2 - 0.5*(time - 1) else 2*(time - 2));
  Real error_slip[3] = {brake.w - j3.w, clutch.w - j4.w + j5.w, freewheel.w_rel - j6.w + table.y};
  Real error_behind[2] = {behind1.w - j1.w, behind3.w - j3.w};
  Real error_reaction = speed.flange.tau + freewheel.tau;
  Real error_lock = freewheel.tau - (if time > 1 and time < 2.6 then 0 else 2.5);
equation
  connect(torque.flange, j1.flange_a);
  connect(ramp.y, torque.tau);
  connect(j1.flange_b, bearing.flange_a);
  connect(bearing.flange_b, behind1.flange_a);
  connect(j2.flange_b, viscous.flange_a);
  connect(j3.flange_b, brake.flange_a);
  connect(brake.flange_b, behind3.flange_a);
  connect(pressed.y, brake.u);
  connect(j4.flange_b, clutch.flange_a);
  connect(clutch.flange_b, j5.flange_a);
  connect(step.flange, j4.flange_a);
  connect(closed.y, clutch.u);
  connect(table.y, speed.w_ref);
  connect(speed.flange, freewheel.flange_a);
  connect(freewheel.flange_b, j6.flange_a);
  connect(j6.flange_b, load.flange);
  annotation(experiment(StopTime = 12));
end Frictions;
