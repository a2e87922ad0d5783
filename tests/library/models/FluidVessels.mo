model FluidVessels "volumes, tanks, nozzle and valve beside their exact solutions"
  import Daedal.Fluid.*;
  import Daedal.Media.*;
  import Daedal.Thermal.FixedHeatFlow;
  import Modelica.Constants.g_n;
  constant Medium gas = idealGas(R = 290, cp = 1015) "isentropic exponent 1.4";
  // a vessel that is filled and heated: m*cv*T = m0*cv*T0 + cp*T_in*dm + Q*t
  PrescribedFlow compressed(medium = gas, m_flow = 0.01*(1 + time), T = 320);
  FlowSensor meter;
  Volume vessel(medium = gas, V = 0.1, p(fixed = true), T(fixed = true));
  FlowSink nothing(m_flow = 0);
  FixedHeatFlow heater(Q_flow = 500);
  PressureSensor gauge;
  Real dm = 0.01*time + 0.005*time^2, m0 = 1e4/(290*293.15);
  Real error_vessel[4] = {vessel.m - m0 - dm, (meter.m_flow - 0.01*(1 + time))/0.01, compressed.outlet.p/vessel.p - 1,
    (gauge.p - (1e5 + 0.4/0.1*(1015*320*dm + 500*time)))/1e5};
  // a vessel that empties through a choked nozzle (isentropic)
  FixedFlow closed(medium = gas, m_flow = 0), sealed(medium = air, m_flow = 0);
  Volume bottle(medium = gas, V = 0.1, p_start = 2e6, T_start = 300, p(fixed = true), T(fixed = true));
  Nozzle nozzle(medium = gas, A = 1e-4);
  Sink surroundings(p = 1e5);
  Real falls = 1 + 0.2*1e-3*sqrt(1.4*290*300)*(5/6)^3*time;
  Real error_bottle[3] = {bottle.p/2e6 - falls^(-7), bottle.port.T/300 - falls^(-2), (surroundings.inlet.h - bottle.outlet.h)/1e5};
  // hot air in a closed vessel, through the change of the polynomials at 1000 K
  Volume oven(medium = air, V = 1, p_start = 1e5, T_start = 800, p(fixed = true), T(fixed = true));
  FixedHeatFlow fire(Q_flow = 5e4);
  Real taken = oven.m*(specificInternalEnergy(air, oven.T) - specificInternalEnergy(air, 800)) - 5e4*time;
  Real error_oven = taken/1e5;
  // a tank that empties through a valve (Torricelli), and one whose water becomes warm
  FixedFlow none(medium = water, m_flow = 0);
  Tank draining(A = 0.5, level_start = 2, level(fixed = true), T(fixed = true));
  Valve valve(medium = water, Av = 0.02, dp_small = 1e-2, opening = 0.5);
  Sink drain;
  Real error_level = draining.level - (sqrt(2) - 0.01*sqrt(g_n)/(2*0.5)*time)^2;
  FixedFlow warm(medium = water, m_flow = 20, T = 340);
  Tank stirred(A = 0.1, level_start = 1, level(fixed = true), T(fixed = true));
  FixedHeatFlow coil(Q_flow = 2e5);
  FlowSink tapped(m_flow = 20);
  TemperatureSensor thermometer(medium = water);
  Real rise = 340 - 293.15 + 2e5/(20*4184);
  Real error_stirred[2] = {(tapped.inlet.h - stirred.outlet.h)/1e5, (thermometer.T - (293.15 + rise*(1 - exp(-20*time/99.8))))/100};
  // a vessel with a cushion of gas, filled with warm water and heated: m*(T_in - T) falls by the heat
  FixedFlow supply(medium = water, m_flow = 0.3, T = 340);
  ExpansionVessel cushion(V = 0.02, p_gas = 1.5e5, n = 1.2, V_liquid(fixed = true), T(fixed = true));
  FixedHeatFlow electric(Q_flow = 1000);
  FlowSink use(m_flow = 0.1);
  Real V_liquid = 0.01 + 0.2/998*time;
  parameter Real T_end = 340 + 1000/(0.3*4184) "where the temperature would come to rest";
  Real error_cushion[4] = {use.inlet.p/(1.5e5*(0.02/(0.02 - V_liquid))^1.2) - 1, supply.outlet.p/use.inlet.p - 1,
    (electric.port.T - T_end - (293.15 - T_end)*(0.01/V_liquid)^1.5)/100, (use.inlet.h - specificEnthalpy(water, cushion.T, cushion.p))/1e5};
equation
  connect(supply.outlet, cushion.inlet);
  connect(cushion.outlet, use.inlet);
  connect(electric.port, cushion.port);
  connect(compressed.outlet, meter.inlet);
  connect(meter.outlet, vessel.inlet);
  connect(vessel.outlet, nothing.inlet);
  connect(vessel.outlet, gauge.inlet);
  connect(heater.port, vessel.port);
  connect(closed.outlet, bottle.inlet);
  connect(bottle.outlet, nozzle.inlet);
  connect(nozzle.outlet, surroundings.inlet);
  connect(sealed.outlet, oven.inlet);
  connect(fire.port, oven.port);
  connect(none.outlet, draining.inlet);
  connect(draining.outlet, valve.inlet);
  connect(valve.outlet, drain.inlet);
  connect(warm.outlet, stirred.inlet);
  connect(coil.port, stirred.port);
  connect(stirred.outlet, thermometer.inlet);
  connect(thermometer.outlet, tapped.inlet);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end FluidVessels;
