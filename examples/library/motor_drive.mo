model MotorDrive "a DC motor with a gear turns a load over an elastic shaft; a PI controller with limits holds its speed"
  import Daedal.{Electrical, Rotational, Blocks};
  Blocks.TimeTable reference(table = [0, 0; 0.5, 0; 1, 20; 3, 20; 3.5, -10; 5, -10]) "speed of the load, rad/s";
  Blocks.LimPID controller(k = 1.5, Ti = 0.2, yMax = 24);
  Electrical.SignalVoltage supply;
  Electrical.Ground ground;
  Electrical.DCMotor motor(R = 0.4, L = 2e-3, k = 0.05, J = 1e-4, i(fixed = true), w(fixed = true), phi(fixed = true));
  Rotational.IdealGear gear(ratio = 8);
  Rotational.SpringDamper shaft(c = 60, d = 0.5);
  Rotational.Inertia load(J = 0.02, phi(fixed = true)) "sticks at the start";
  Rotational.BearingFriction bearing(tau_slip = 0.4, peak = 1.25, d = 0.01);
  Rotational.TorqueStep torque(stepTorque = -2, startTime = 2) "the load is loaded";
  Rotational.SpeedSensor speed;
equation
  connect(reference.y, controller.u_s);
  connect(speed.w, controller.u_m);
  connect(controller.y, supply.v);
  connect(supply.p, motor.p);
  connect(supply.n, motor.n);
  connect(supply.n, ground.p);
  connect(motor.flange, gear.flange_a);
  connect(gear.flange_b, shaft.flange_a);
  connect(shaft.flange_b, load.flange_a);
  connect(load.flange_b, bearing.flange_a);
  connect(bearing.flange_b, torque.flange);
  connect(load.flange_b, speed.flange);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end MotorDrive;
