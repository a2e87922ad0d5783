model FluidBoilers "boiling water: energy and mass are kept, and published values of the properties"
  import Daedal.Fluid.*;
  import Daedal.Media.*;
  import Daedal.Thermal.FixedHeatFlow;
  // IAPWS R7-97(2012), Tables 35 and 36
  Real error_saturation[6] = {saturationPressure(300)/3536.58941 - 1, saturationPressure(500)/2.63889776e6 - 1, saturationPressure(600)/12.3443146e6 - 1,
    saturationTemperature(1e5)/372.755919 - 1, saturationTemperature(1e6)/453.035632 - 1, saturationTemperature(1e7)/584.149488 - 1};
  // IAPWS SR1-86(1992), Table 1, to its last digits; the slope is that of R7-97, by 3e-4 another one
  Real error_density[4] = {boilingDensity(273.16)/999.789 - 1, boilingDensity(373.1243)/958.365 - 1, steamDensity(273.16)/0.00485426 - 1, steamDensity(373.1243)/0.597586 - 1};
  Real error_steam[3] = {off(steamEnthalpy(273.16)/2500.5e3, 3e-4), off(steamEnthalpy(373.1243)/2675.7e3, 3e-5), off(boilingEnthalpy(373.1243)/419.05e3, 3e-5)};
  Real error_slope = (saturationPressure(450.01) - saturationPressure(449.99))/0.02/saturationSlope(450) - 1;
  // air at 300 K: R*3.49... of the tables; h and s meet at 1000 K
  Real error_air[3] = {off(specificHeatCapacity(air, 300)/1004.9, 1e-4), (specificEnthalpy(air, 999.999999, 1e5)/specificEnthalpy(air, 1000, 1e5) - 1),
    specificEntropy(air, 999.999999, 1e5)/specificEntropy(air, 1000, 1e5) - 1};
  constant Medium gas = idealGas(R = 290, cp = 1015), oil = liquid(rho = 860, cp = 1900);
  Real error_entropy[2] = {specificEntropy(gas, 500, 3e5)/(1015*log(500/298.15) - 290*log(3)) - 1, specificEntropy(oil, 350, 3e5)/(1900*log(350/273.15)) - 1};
  function off "0 where the ratio is 1 but for the bound, else how far it is off"
    input Real ratio, bound;
    output Real e = if abs(ratio - 1) <= bound then 0 else ratio - 1;
  algorithm
  end off;
  // a boiler at rest: Q = m_flow*(h_steam - h_feed); and one that is filled and heated, whose mass and energy grow
  FixedFlow feed(medium = water, m_flow = 0.5, T = 320), filling(medium = water, m_flow = 2, T = 320);
  Boiler boiler(V = 2, C = 1e6, T_start = 450, T(fixed = true), V_w(fixed = true)), other(V = 2, C = 1e6, T_start = 400, T(fixed = true), V_w(fixed = true));
  FixedHeatFlow burner(Q_flow = feed.m_flow*(steamEnthalpy(450) - specificEnthalpy(water, 320, saturationPressure(450)))), flame(Q_flow = 1e7);
  FlowSink steam(m_flow = 0.5), valve(m_flow = 0.3);
  Real error_boiler[2] = {(boiler.T - 450)/100, boiler.V_w - 1};
  Real T = flame.port.T, V_w = other.V_w, E(start = energy(400, 1), fixed = true);
  function energy "of water, steam and metal of a boiler of 2 m3"
    input Real T, V_w;
    output Real U = V_w*(boilingDensity(T)*boilingEnthalpy(T) - saturationPressure(T)) + (2 - V_w)*(steamDensity(T)*steamEnthalpy(T) - saturationPressure(T)) + 1e6*T;
  algorithm
  end energy;
  function mass "of water and steam"
    input Real T, V_w;
    output Real m = V_w*boilingDensity(T) + (2 - V_w)*steamDensity(T);
  algorithm
  end mass;
  Real error_energy = (energy(T, V_w) - E)/1e7, error_mass = (mass(T, V_w) - mass(400, 1) - 1.7*time)/1000;
  Real error_pressure[2] = {filling.outlet.p/saturationPressure(T) - 1, valve.inlet.p/saturationPressure(T) - 1};
equation
  der(E) = 1e7 + 2*specificEnthalpy(water, 320, saturationPressure(T)) - 0.3*steamEnthalpy(T);
  connect(feed.outlet, boiler.inlet);
  connect(boiler.outlet, steam.inlet);
  connect(burner.port, boiler.port);
  connect(filling.outlet, other.inlet);
  connect(other.outlet, valve.inlet);
  connect(flame.port, other.port);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end FluidBoilers;
