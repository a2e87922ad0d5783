model FluidMachines "machines, fire and a mixer beside their exact solutions"
  import Daedal.Fluid.*;
  import Daedal.Media.*;
  import Daedal.Rotational.ConstantSpeed;
  import Modelica.Constants.pi;
  constant Medium gas = idealGas(R = 290, cp = 1015) "isentropic exponent 1.4";
  // a pump that works on a resistance: dp_max*(n^2 - v^2) = dp_nominal*v^2
  FixedPressure reservoir(medium = water);
  Pump pump(dp_max = 3e5, V_flow_max = 0.02, eta = 0.6, n = 0.8);
  PressureLoss loss(medium = water, m_flow_nominal = 0.02*998, dp_nominal = 1e5);
  Sink back;
  Real v = 0.8*sqrt(3/4);
  Real error_pump[2] = {(pump.m_flow/(998*0.02*v) - 1)/10, (pump.P/(0.02*v*3e5*(0.64 - v^2)/0.6) - 1)/10} "the linear part of the loss: 1e-4";
  // a compressor and a turbine of given speed
  PrescribedPressure inlet(medium = gas, p = 1e5, T = 300);
  FixedPressure chamber(medium = gas, p = 4e5, T = 1200);
  ConstantSpeed fast(w_fixed = 2000);
  Compressor compressor(medium = gas, D = 0.3, eta = 0.8);
  FlowSink use(m_flow = 1);
  Turbine turbine(medium = gas, A = 2e-3, eta = 0.9);
  Sink exhaust(p = 1e5);
  Real head = 0.6*(300^2 - (0.87/(0.3*pi/4*0.09))^2);
  Real error_compressor[2] = {use.inlet.p/1e5 - (1 + head/(1015*300))^3.5, compressor.flange.tau/(head/0.8/2000) - 1};
  Real m_turbine = 2e-3*4e5/sqrt(290*1200)*sqrt(1 - 1/16);
  Real error_turbine[2] = {turbine.m_flow/m_turbine - 1, turbine.P/(-m_turbine*1015*1200*0.9*(1 - 4^(-2/7))) - 1};
  // fire and mixture
  FixedFlow fresh(medium = gas, m_flow = 2, T = 400), other(medium = gas, m_flow = 1, T = 1000);
  Combustor combustor(H_u = 40e6, eta = 0.9, loss = 0.05, fuel = 0.02);
  Mixer mixer;
  TemperatureSensor mixed(medium = gas);
  Sink chimney(p = 1e5);
  Real error_fire[3] = {(mixed.T - (298.15 + (2*101.85 + 701.85 + 0.02*36e6/1015)/3.02))/1000, combustor.inlet.p*0.95/1e5 - 1, other.outlet.p/1e5 - 1};
equation
  connect(reservoir.outlet, pump.inlet);
  connect(pump.outlet, loss.inlet);
  connect(loss.outlet, back.inlet);
  connect(inlet.outlet, compressor.inlet);
  connect(compressor.outlet, use.inlet);
  connect(fast.flange, compressor.flange);
  connect(fast.flange, turbine.flange);
  connect(chamber.outlet, turbine.inlet);
  connect(turbine.outlet, exhaust.inlet);
  connect(fresh.outlet, combustor.inlet);
  connect(combustor.outlet, mixer.inlet1);
  connect(other.outlet, mixer.inlet2);
  connect(mixer.outlet, mixed.inlet);
  connect(mixed.outlet, chimney.inlet);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end FluidMachines;
