model Drives "planetary and lossy gears, loads and sources against closed forms"
  import Daedal.Rotational.*;
  import Daedal.Blocks;
  // a planetary gear with its ring fixed: the carrier turns at w_sun/(1 + ratio); with it held at 1 rad/s as well
  ConstantSpeed sun_speed(w_fixed = 6), ring_speed(w_fixed = 1);
  IdealPlanetary planetary(ratio = 2);
  Inertia j6(J = 1);
  LinearSpeedDependentTorque load6(tau_nominal = -3, w_nominal = 4);
  Real error_planetary[3] = {j6.w - 8/3.0, planetary.sun.tau - 2/3.0, planetary.ring.tau - 4/3.0};
  // a fan that runs out, a gear with losses that drives it
  Inertia j7(J = 1, w(start = 4, fixed = true));
  QuadraticSpeedDependentTorque fan(tau_nominal = -2, w_nominal = 2);
  Real error_fan = j7.w - 4/(1 + 2*time);
  ConstantTorque drive8(tau_constant = 5);
  LossyGear lossy(ratio = 2, eta = 0.8);
  Inertia j8(J = 4, w(fixed = true));
  Real error_lossy = j8.w - 2*time;
  // the load 10 drives the gear backward: tau_a = -10*eta/ratio = -4
  ConstantTorque drive9(tau_constant = 3), load9(tau_constant = -10);
  LossyGear lossy_back(ratio = 2, eta = 0.8);
  Inertia j9(J = 0.5, w(start = -1, fixed = true));
  Real error_lossy_back = j9.w - (-1 - 2*time);
  // angle and speed by signals, a step of the torque
  Blocks.Sine sine(f = 1/(2*Modelica.Constants.pi), amplitude = 0.5);
  Position position;
  Inertia j10(J = 2);
  TorqueSensor held;
  Real error_position = held.tau - (-sin(time));
  Speed turned;
  Inertia j11(J = 3, phi(start = 0.25, fixed = true));
  Real error_speed = j11.phi - (0.25 + 0.5*(1 - cos(time)));
  TorqueStep step(stepTorque = 2, offsetTorque = 1, startTime = 1);
  Inertia j12(J = 1, w(fixed = true));
  Real error_step = j12.w - (time + 2*max(0, time - 1));
equation
  connect(sun_speed.flange, planetary.sun);
  connect(ring_speed.flange, planetary.ring);
  connect(planetary.carrier, j6.flange_a);
  connect(j6.flange_b, load6.flange);
  connect(j7.flange_b, fan.flange);
  connect(drive8.flange, lossy.flange_a);
  connect(lossy.flange_b, j8.flange_a);
  connect(drive9.flange, j9.flange_a);
  connect(j9.flange_b, lossy_back.flange_a);
  connect(lossy_back.flange_b, load9.flange);
  connect(sine.y, position.phi_ref);
  connect(position.flange, held.flange_a);
  connect(held.flange_b, j10.flange_a);
  connect(sine.y, turned.w_ref);
  connect(turned.flange, j11.flange_a);
  connect(step.flange, j12.flange_a);
  annotation(experiment(StopTime = 3));
end Drives;
