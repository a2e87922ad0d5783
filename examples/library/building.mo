model building "two rooms in winter, one heated by a thermostat, the other by a PI controller"
  import Daedal.Thermal.*;
  import Daedal.Blocks.{Sine, Constant, Hysteresis, BooleanToReal, LimPID};
  Sine weather(offset = 275.15, amplitude = 5, f = 1/86400, phase = -2);
  PrescribedTemperature outside;
  // rooms: air and furniture
  HeatCapacitor kitchen(C = 4e5, T(start = 291.15, fixed = true)), office(C = 2.5e5, T(start = 289.15, fixed = true));
  // walls: plaster, insulation and bricks, from outside to inside
  Wall north(A = 25, d = {0.02, 0.12, 0.24}, lambda = {0.9, 0.04, 0.6}, rho = {1600, 30, 1200}, c = {1000, 1400, 900},
    cells = 2, T(each start = 283.15, each fixed = true));
  Wall south(A = 15, d = {0.02, 0.12, 0.24}, lambda = {0.9, 0.04, 0.6}, rho = {1600, 30, 1200}, c = {1000, 1400, 900},
    cells = 2, T(each start = 283.15, each fixed = true));
  Convection northWind(Gc = 20*25), northAir(Gc = 8*25), southWind(Gc = 20*15), southAir(Gc = 8*15);
  ThermalConductor kitchenWindow(G = 1.1*4), officeWindow(G = 1.1*6), door(G = 15);
  // heating
  TemperatureSensor kitchenSensor, officeSensor;
  Hysteresis warm(uLow = 293.15, uHigh = 294.15);
  BooleanToReal burner(realTrue = 0, realFalse = 1500);
  Constant wanted(k = 293.15);
  LimPID controller(k = 300, Ti = 1200, yMax = 1200, yMin = 0);
  PrescribedHeatFlow kitchenHeater, officeHeater;
  FixedHeatFlow people(Q_flow = 100);
equation
  connect(weather.y, outside.T);
  connect(outside.port, northWind.fluid);
  connect(northWind.solid, north.port_a);
  connect(north.port_b, northAir.solid);
  connect(northAir.fluid, kitchen.port);
  connect(outside.port, southWind.fluid);
  connect(southWind.solid, south.port_a);
  connect(south.port_b, southAir.solid);
  connect(southAir.fluid, office.port);
  connect(outside.port, kitchenWindow.port_a);
  connect(kitchenWindow.port_b, kitchen.port);
  connect(outside.port, officeWindow.port_a);
  connect(officeWindow.port_b, office.port);
  connect(kitchen.port, door.port_a);
  connect(door.port_b, office.port);
  connect(people.port, office.port);
  connect(kitchen.port, kitchenSensor.port);
  connect(kitchenSensor.T, warm.u);
  connect(warm.y, burner.u);
  connect(burner.y, kitchenHeater.Q_flow);
  connect(kitchenHeater.port, kitchen.port);
  connect(office.port, officeSensor.port);
  connect(wanted.y, controller.u_s);
  connect(officeSensor.T, controller.u_m);
  connect(controller.y, officeHeater.Q_flow);
  connect(officeHeater.port, office.port);
  annotation(experiment(StopTime = 86400, Tolerance = 1e-6));
end building;
