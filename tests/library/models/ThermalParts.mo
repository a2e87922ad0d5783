model ThermalParts "each component beside its exact solution"
  import Daedal.Thermal.*;
  import Modelica.Constants.{pi, sigma};
  // cooling through a conductor
  HeatCapacitor body(C = 500, T(start = 350, fixed = true));
  ThermalConductor conductor(G = 20);
  FixedTemperature outside(T = 280);
  Real error_conductor = body.T - (280 + 70*exp(-20*time/500));
  // two bodies through a resistor, and a heat flow sensor without resistance
  HeatCapacitor one(C = 300, T(start = 400, fixed = true)), two(C = 600, T(start = 310, fixed = true));
  ThermalResistor resistor(R = 0.05), none(R = 0);
  HeatFlowSensor meter;
  RelTemperatureSensor difference;
  Real decay = exp(-time/0.05*(1/300 + 1/600));
  Real error_one = one.T - (340 + 60*decay), error_two = two.T - (340 - 30*decay), error_flow = meter.Q_flow - 90*decay/0.05;
  Real error_difference = difference.T_rel - 90*decay;
  // convection with a coefficient that changes
  HeatCapacitor plate(C = 100, T(start = 300, fixed = true));
  Convection convection(Gc = 3 + 2*cos(time));
  PrescribedTemperature gas(T = 400);
  Real error_convection = plate.T - (400 - 100*exp(-(3*time + 2*sin(time))/100));
  // radiation to the cold sky: d(T^-3)/dt = 3 Gr sigma/C
  HeatCapacitor hot(C = 50, T(start = 1200, fixed = true));
  BodyRadiation radiation(Gr = 0.02);
  FixedTemperature sky(T = 0);
  Real error_radiation = hot.T - (1200^(-3) + 3*0.02*sigma/50*time)^(-1/3);
  // a heater whose power falls with temperature
  HeatCapacitor heated(C = 200, T(start = 293.15, fixed = true));
  FixedHeatFlow heater(Q_flow = 1000, alpha = -0.02);
  TemperatureSensor sensor;
  Real error_heater = sensor.T - (293.15 + 50*(1 - exp(-0.02*1000/200*time)));
  // heat by a signal
  HeatCapacitor shaken(C = 10, T(start = 300, fixed = true));
  PrescribedHeatFlow signal(Q_flow = 100*sin(time));
  Real error_signal = shaken.T - (300 + 10*(1 - cos(time)));
  // ice of 0.1 kg melts from 1.05 s to 34.45 s
  LatentHeatStorage ice(m = 0.1, c_solid = 2100, c_liquid = 4200, L = 334000, T_melt = 273.15, T_start = 268.15, H(fixed = true));
  FixedHeatFlow melting(Q_flow = 1000);
  Real error_ice = ice.port.T - (if time < 1.05 then 268.15 + time*1000/210 elseif time < 34.45 then 273.15 else 273.15 + (time - 34.45)*1000/420);
  Real error_liquid = ice.liquid - noEvent(max(0, min(1, (time - 1.05)/33.4)));
  // a mode of a wall: sin(2 pi (i - 1/2)/n) decays with 4/(R C) sin(pi/n)^2
  parameter Integer n = 8;
  Wall mode(A = 2, d = {0.2}, lambda = {1.5}, rho = {1000}, c = {50}, cells = n,
    T(start = {300 + 10*sin(2*pi*(i - 0.5)/n) for i in 1:n}, each fixed = true));
  FixedTemperature left(T = 300), right(T = 300);
  Real error_mode[n] = {mode.T[i] - 300 - 10*sin(2*pi*(i - 0.5)/n)*exp(-4*1.5*2/(0.2/n)/(2*0.2/n*1000*50)*sin(pi/n)^2*time) for i in 1:n};
  // three layers at rest: one heat flow through the sum of their resistances, T linear within each
  Wall layers(A = 10, d = {0.02, 0.1, 0.24}, lambda = {0.7, 0.04, 0.6}, rho = {1400, 30, 1200}, c = {1000, 1400, 900}, cells = 2);
  FixedTemperature inside(T = 293.15), winter(T = 263.15);
  Real q = 10*30/(0.02/0.7 + 0.1/0.04 + 0.24/0.6);
  Real error_layers[3] = {layers.T[1] - (293.15 - q*0.005/7), layers.T[4] - (293.15 - q*(0.02/7 + 0.075/0.4)), layers.Q_flow[7] - q};
initial equation
  der(layers.T) = zeros(6);
equation
  connect(body.port, conductor.port_a);
  connect(conductor.port_b, outside.port);
  connect(one.port, meter.port_a);
  connect(meter.port_b, resistor.port_a);
  connect(resistor.port_b, none.port_a);
  connect(none.port_b, two.port);
  connect(difference.port_a, one.port);
  connect(difference.port_b, two.port);
  connect(plate.port, convection.solid);
  connect(convection.fluid, gas.port);
  connect(hot.port, radiation.port_a);
  connect(radiation.port_b, sky.port);
  connect(heater.port, heated.port);
  connect(sensor.port, heated.port);
  connect(signal.port, shaken.port);
  connect(melting.port, ice.port);
  connect(mode.port_a, left.port);
  connect(mode.port_b, right.port);
  connect(layers.port_a, inside.port);
  connect(layers.port_b, winter.port);
  annotation(experiment(StopTime = 40, Tolerance = 1e-8));
end ThermalParts;
