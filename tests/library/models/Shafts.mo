model Shafts "inertias, springs, gears and sensors against closed forms"
  import Daedal.Rotational.*;
  import Daedal.Blocks;
  // a spring, and a spring beside a damper: free vibrations about phi_rel0
  Fixed wall(phi0 = 0.2);
  Spring spring(c = 8, phi_rel0 = 0.1);
  Inertia j1(J = 2, phi(start = 1.3, fixed = true), w(fixed = true));
  Real error_spring = j1.phi - (0.3 + cos(2*time));
  SpringDamper damped(c = 10, d = 2);
  Inertia j2(J = 1, phi(start = 1.2, fixed = true), w(start = -1, fixed = true));
  Real error_damped = j2.phi - (0.2 + exp(-time)*cos(3*time));
  // two inertias against each other: their momentum stays 0
  SpringDamper between(c = 10, d = 2);
  Inertia left(J = 2, phi(start = -0.5, fixed = true), w(start = 0.5, fixed = true)), right(J = 2, phi(start = 0.5, fixed = true), w(start = -0.5, fixed = true));
  Real error_between[2] = {left.phi + 0.5*exp(-time)*cos(3*time), right.phi - 0.5*exp(-time)*cos(3*time)};
  Damper damper(d = 0.5);
  Inertia j3(J = 1, w(start = 2, fixed = true));
  Real error_damper = j3.w - 2*exp(-0.5*time);
  // a gear between two inertias: (J4 + J5/ratio^2)*der(w) = tau
  Blocks.Ramp ramp(height = 6, duration = 3);
  Torque torque;
  Inertia j4(J = 0.5, w(fixed = true)), j5(J = 9);
  IdealGear gear(ratio = 3);
  TorqueSensor measured;
  SpeedSensor speed;
  AccSensor acceleration;
  AngleSensor angle;
  PowerSensor power;
  RelSpeedSensor relative_speed;
  RelAngleSensor relative_angle;
  Real w4 = time^2/1.5 "speed of j4";
  Real error_gear[3] = {j4.w - w4, j5.w - w4/3, measured.tau - time/0.75};
  Real error_sensors[6] = {speed.w - w4, acceleration.a - time/0.75, angle.phi - time^3/4.5, power.power - measured.tau*w4,
    relative_speed.w_rel + w4*2/3, relative_angle.phi_rel + j4.phi - j5.phi};
equation
  connect(wall.flange, spring.flange_a);
  connect(spring.flange_b, j1.flange_a);
  connect(wall.flange, damped.flange_a);
  connect(damped.flange_b, j2.flange_a);
  connect(left.flange_b, between.flange_a);
  connect(between.flange_b, right.flange_a);
  connect(wall.flange, damper.flange_a);
  connect(damper.flange_b, j3.flange_a);
  connect(ramp.y, torque.tau);
  connect(torque.flange, j4.flange_a);
  connect(j4.flange_b, measured.flange_a);
  connect(measured.flange_b, power.flange_a);
  connect(power.flange_b, gear.flange_a);
  connect(gear.flange_b, j5.flange_a);
  connect(speed.flange, j4.flange_a);
  connect(acceleration.flange, j4.flange_a);
  connect(angle.flange, j4.flange_b);
  connect(relative_speed.flange_a, j4.flange_b);
  connect(relative_speed.flange_b, j5.flange_b);
  connect(relative_angle.flange_a, j4.flange_b);
  connect(relative_angle.flange_b, j5.flange_b);
initial equation
  j4.phi = 0;
  annotation(experiment(StopTime = 3));
end Shafts;
