model servo_cylinder "a hydraulic cylinder with a servo-valve under position control"
  import Daedal.Hydraulic.*;
  import Daedal.Translational.{Mass, Fixed, PositionSensor, ForceStep};
  import Daedal.Blocks.{Ramp, Feedback, Gain};
  // supply: a pump of constant flow, a relief valve and an accumulator
  FixedFlow pump(q = 5e-4);
  ReliefValve relief(A = 2e-5, p_set = 1.4e7, p_range = 2e6);
  Accumulator accumulator(V = 1e-3, p_pre = 9e6, V_oil(start = 2.5e-4, fixed = true));
  Tank tank;
  // drive
  ServoValve valve(A = 1e-5, w0 = 500, D = 0.7);
  Cylinder cylinder(A_a = 1.2e-3, A_b = 8e-4, stroke = 0.5, d = 300, G = 4e-12, p_a(start = 4e6, fixed = true), p_b(start = 6e6, fixed = true));
  Fixed frame;
  Mass mass(m = 400, s(start = 0.1, fixed = true), v(start = 0, fixed = true));
  ForceStep load(stepForce = -3000, startTime = 1.2);
  // control
  Ramp wanted(offset = 0.1, height = 0.25, duration = 0.8, startTime = 0.1);
  PositionSensor sensor;
  Feedback error;
  Gain controller(k = 8);
equation
  connect(pump.port, accumulator.port);
  connect(accumulator.port, relief.port_a);
  connect(relief.port_b, tank.port);
  connect(accumulator.port, valve.port_p);
  connect(valve.port_t, tank.port);
  connect(valve.port_a, cylinder.port_a);
  connect(valve.port_b, cylinder.port_b);
  connect(frame.flange, cylinder.flange_a);
  connect(cylinder.flange_b, mass.flange_a);
  connect(mass.flange_b, load.flange);
  connect(sensor.flange, mass.flange_b);
  connect(wanted.y, error.u1);
  connect(sensor.s, error.u2);
  connect(error.y, controller.u);
  connect(controller.y, valve.u);
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end servo_cylinder;
