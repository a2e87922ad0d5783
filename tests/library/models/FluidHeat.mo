model FluidHeat "pipes and heat exchangers beside their exact solutions"
  import Daedal.Fluid.*;
  import Daedal.Media.*;
  import Daedal.Thermal.FixedTemperature;
  import Modelica.Constants.pi;
  constant Medium gas = idealGas(R = 290, cp = 1015) "isentropic exponent 1.4";
  // pipes: a step passes three cells; heat through the wall at rest; laminar friction
  FixedFlow cold(medium = water, m_flow = 0.1, T = 290);
  Pipe step(medium = water, L = 3, D = 0.02, n = 3, T_start = 300, T(each fixed = true));
  Pipe heated(medium = liquid(rho = 900, cp = 2000, mu = 0.05), L = 10, D = 0.02, n = 4, alpha = 100);
  FixedFlow oil(medium = heated.medium, m_flow = 0.1, T = 350);
  FixedTemperature wall[4](each T = 300);
  Sink open, away;
  Real tau = 0.1*3*time/(998*pi*1e-4*3), c = 1 + 100*pi*0.2/(0.1*2000*4);
  parameter Real Re = 0.4/(pi*0.02*1e-3);
  TemperatureSensor thermometer(medium = water);
  Real dp = 998*8*Daedal.Hydraulic.frictionFactor(Re)/Re*3/0.02*(0.1/(998*pi*0.02^2))^2 "becomes heat";
  Real error_friction = step.dp/dp - 1;
  Real error_step = (thermometer.T - dp/(998*4184) - 290 - 10*exp(-tau)*(1 + tau + tau^2/2))/10;
  Real error_heated[2] = {heated.port[4].Q_flow/(-100*pi*0.05*50/c^4) - 1, heated.dp/(128*0.05*10*0.1/(900*pi*0.02^4)) - 1};
  // heat exchangers: of cells, with equal flows at rest, and by effectiveness, with equal and other flows
  FixedFlow hot1(medium = gas, m_flow = 2, T = 500), hot2(medium = gas, m_flow = 2, T = 500), hot3(medium = gas, m_flow = 1, T = 500);
  FixedFlow cold1(medium = gas, m_flow = 2, T = 300), cold2(medium = gas, m_flow = 2, T = 300), cold3(medium = gas, m_flow = 2, T = 300);
  HeatExchanger cells(hot_medium = gas, cold_medium = gas, n = 4, V_hot = 0.1, V_cold = 0.1, G_hot = 6000, G_cold = 3000, C = 1000, T_hot = 400, T_cold = 350);
  EffectivenessExchanger equal(hot_medium = gas, cold_medium = gas, UA = 2030), unequal(hot_medium = gas, cold_medium = gas, UA = 2030);
  Sink s[6];
  Real error_cells = cells.Q_flow/(2000*200/(1 + 2000*1.25/2030)) - 1;
  Real Q = unequal.Q_flow;
  Real error_outlets[6] = {hot3.outlet.p/101325 - 1, cold3.outlet.p/101325 - 1, s[5].inlet.m_flow - 1, s[6].inlet.m_flow - 2,
    (s[5].inlet.h - hot3.outlet.h + Q)/1e5, (s[6].inlet.h - cold3.outlet.h - Q/2)/1e5};
  Real error_effectiveness[2] = {equal.Q_flow/(2030*200/2) - 1, unequal.Q_flow/(1015*200*(1 - exp(-1))/(1 - exp(-1)/2)) - 1};
initial equation
  der(heated.h) = zeros(4);
  der(cells.hot.h) = zeros(4);
  der(cells.cold.h) = zeros(4);
  der(cells.wall.T) = zeros(4);
equation
  connect(cold.outlet, step.inlet);
  connect(step.outlet, thermometer.inlet);
  connect(thermometer.outlet, open.inlet);
  connect(oil.outlet, heated.inlet);
  connect(heated.outlet, away.inlet);
  connect(heated.port, wall.port);
  connect(hot1.outlet, cells.inlet_hot);
  connect(cold1.outlet, cells.inlet_cold);
  connect(hot2.outlet, equal.inlet_hot);
  connect(cold2.outlet, equal.inlet_cold);
  connect(hot3.outlet, unequal.inlet_hot);
  connect(cold3.outlet, unequal.inlet_cold);
  connect(cells.outlet_hot, s[1].inlet);
  connect(cells.outlet_cold, s[2].inlet);
  connect(equal.outlet_hot, s[3].inlet);
  connect(equal.outlet_cold, s[4].inlet);
  connect(unequal.outlet_hot, s[5].inlet);
  connect(unequal.outlet_cold, s[6].inlet);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end FluidHeat;
