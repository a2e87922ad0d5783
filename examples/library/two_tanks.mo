model two_tanks "warm water runs through two tanks; the second is heated, and its level is controlled"
  import Daedal.Fluid.*;
  import Daedal.Thermal.{FixedHeatFlow, ThermalConductor, FixedTemperature};
  import Daedal.Blocks.{Step, Constant, LimPID};
  import Daedal.Media.water;
  Step inflow(offset = 1, height = 0.5, startTime = 500);
  Constant warm(k = 310);
  PrescribedFlow source(medium = water);
  Tank first(A = 0.8, level(start = 0.9, fixed = true), T(start = 300, fixed = true));
  Valve between(medium = water, Av = 4e-4, opening = 1);
  Tank second(A = 0.5, level(start = 0.4, fixed = true), T(start = 293.15, fixed = true));
  FixedHeatFlow heater(Q_flow = 20000);
  ThermalConductor loss(G = 60);
  FixedTemperature room(T = 291.15);
  Valve drain(medium = water, Av = 8e-4);
  Sink away;
  // control: more opening where the level is too high
  Constant wanted(k = 0.6);
  LimPID controller(k = -2, Ti = 300, yMax = 1, yMin = 0, xi_start = -0.2);
equation
  connect(inflow.y, source.m_flow);
  connect(warm.y, source.T);
  connect(source.outlet, first.inlet);
  connect(first.outlet, between.inlet);
  connect(between.outlet, second.inlet);
  connect(second.outlet, drain.inlet);
  connect(drain.outlet, away.inlet);
  connect(heater.port, second.port);
  connect(second.port, loss.port_a);
  connect(loss.port_b, room.port);
  connect(wanted.y, controller.u_s);
  controller.u_m = second.level;
  connect(controller.y, drain.opening);
  annotation(experiment(StopTime = 3000, Tolerance = 1e-6));
end two_tanks;
