within Daedal;
package Fluid "Gases and liquids that flow one way, with the heat they carry; pressures are absolute"
  import Modelica.Units.SI;
  import Modelica.Constants.pi;
  import Daedal.Media.*;

  // ---------------------------------------------------------------- connectors and what components have in common

  connector Inlet "Place at which fluid enters: m_flow is not negative"
    SI.Pressure p(start = 1e5, nominal = 1e5) "Pressure";
    flow SI.MassFlowRate m_flow "Mass flow into the component";
    input SI.SpecificEnthalpy h "Specific enthalpy of what enters";
  end Inlet;

  connector Outlet "Place at which fluid leaves: m_flow is not positive"
    SI.Pressure p(start = 1e5, nominal = 1e5) "Pressure";
    flow SI.MassFlowRate m_flow "Mass flow into the component";
    output SI.SpecificEnthalpy h "Specific enthalpy of what leaves";
  end Outlet;

  partial model TwoPorts "Fluid flows through without being stored"
    Inlet inlet;
    Outlet outlet;
    parameter Media.Medium medium "Fluid";
    parameter SI.MassFlowRate m_flow_small(min = 0) = 1e-6 "A note tells where more than that flows back";
    SI.MassFlowRate m_flow "Mass flow";
    SI.PressureDifference dp(nominal = 1e5) "p of the inlet less p of the outlet";
  equation
    assert(m_flow >= -m_flow_small, "a fluid flows back: what it carries is that of a flow from the inlet to the outlet", AssertionLevel.warning);
    dp = inlet.p - outlet.p;
    m_flow = inlet.m_flow;
    inlet.m_flow + outlet.m_flow = 0;
    annotation(__daedal(fluid(inlet = fingerprint(medium), outlet = inlet)));
  end TwoPorts;

  partial model Machine "Machine that changes the enthalpy: m_flow*(outlet.h - inlet.h) = P"
    extends TwoPorts;
    SI.Power P(nominal = 1000) "Power taken up";
  equation
    P = m_flow*(outlet.h - inlet.h);
  end Machine;

  partial model ShaftMachine "Machine on a shaft: flange.tau*w = P; w is not 0"
    extends Machine;
    Rotational.Flange flange "Shaft";
    SI.AngularVelocity w(start = 1000, nominal = 1000) "Speed";
    SI.Temperature T_in(start = 300, nominal = 300) "Temperature at the inlet";
    SI.Temperature T_isentropic(start = 300, nominal = 300) "Temperature at the outlet, were the change isentropic";
    SI.SpecificEnergy dh_isentropic(nominal = 1e5) "Change of the enthalpy, were it isentropic";
  equation
    w = der(flange.phi);
    flange.tau*w = P;
    inlet.h = specificEnthalpy(medium, T_in, inlet.p);
    specificEntropy(medium, T_isentropic, outlet.p) = specificEntropy(medium, T_in, inlet.p);
    dh_isentropic = specificEnthalpy(medium, T_isentropic, outlet.p) - inlet.h;
  end ShaftMachine;

  partial model Cells "Fluid in n cells one behind the other, each of one temperature and with a heat port:
    rho*V/n*der(h[i]) = m_flow*(h[i - 1] - h[i]) + port[i].Q_flow, port[i].T - T[i] = n*R*port[i].Q_flow; the mass that is stored is taken as constant in the balances"
    extends TwoPorts;
    parameter Integer n(min = 1) = 5 "Number of cells";
    parameter SI.Volume V "Volume";
    parameter SI.ThermalResistance R = 0 "Resistance between the fluid and all ports; 0: they have the temperature of the fluid";
    parameter SI.Temperature T_start = 293.15 "Start value of all T, not fixed";
    parameter SI.Pressure p_start(fixed = false, start = 1e5, nominal = 1e5) "Pressure at the start, which follows";
    SI.SpecificEnthalpy h[n](each start = specificEnthalpy(medium, T_start, p_start), each nominal = 1e5) "Specific enthalpies in the cells";
    SI.Temperature T[n](each start = T_start, each nominal = 300) "Temperatures of the cells";
    Thermal.HeatPort port[n] "Heat into each cell";
  protected
    SI.SpecificEnthalpy h_in[n] = cat(1, {inlet.h}, h[1:n - 1]) "Specific enthalpies of what enters each cell";
  initial equation
    p_start = inlet.p;
  equation
    for i in 1:n loop
      h[i] = specificEnthalpy(medium, T[i], inlet.p);
      density(medium, T[i], inlet.p)*V/n*der(h[i]) = m_flow*(h_in[i] - h[i]) + port[i].Q_flow;
      port[i].T - T[i] = n*R*port[i].Q_flow;
    end for;
    outlet.h = h[n];
  end Cells;

  // ---------------------------------------------------------------- sources and sinks

  model FixedFlow "Source of a constant mass flow"
    parameter Media.Medium medium "Fluid";
    parameter SI.MassFlowRate m_flow "Mass flow out of the outlet";
    parameter SI.Temperature T = 293.15 "Temperature";
    Outlet outlet;
  equation
    outlet.m_flow = -m_flow;
    outlet.h = specificEnthalpy(medium, T, outlet.p);
    annotation(__daedal(fluid(outlet = fingerprint(medium))));
  end FixedFlow;

  model PrescribedFlow "Source of a mass flow by signals"
    parameter Media.Medium medium "Fluid";
    Blocks.RealInput m_flow(unit = "kg/s") "Mass flow out of the outlet";
    Blocks.RealInput T(unit = "K") "Temperature";
    Outlet outlet;
  equation
    outlet.m_flow = -m_flow;
    outlet.h = specificEnthalpy(medium, T, outlet.p);
    annotation(__daedal(fluid(outlet = fingerprint(medium))));
  end PrescribedFlow;

  model FixedPressure "Source of constant pressure"
    parameter Media.Medium medium "Fluid";
    parameter SI.Pressure p = 101325 "Pressure";
    parameter SI.Temperature T = 293.15 "Temperature";
    Outlet outlet;
  equation
    outlet.p = p;
    outlet.h = specificEnthalpy(medium, T, p);
    annotation(__daedal(fluid(outlet = fingerprint(medium))));
  end FixedPressure;

  model PrescribedPressure "Source of pressure by signals"
    parameter Media.Medium medium "Fluid";
    Blocks.RealInput p(unit = "Pa") "Pressure";
    Blocks.RealInput T(unit = "K") "Temperature";
    Outlet outlet;
  equation
    outlet.p = p;
    outlet.h = specificEnthalpy(medium, T, p);
    annotation(__daedal(fluid(outlet = fingerprint(medium))));
  end PrescribedPressure;

  model Sink "Surroundings of constant pressure that take up fluid"
    parameter SI.Pressure p = 101325 "Pressure";
    Inlet inlet;
  equation
    inlet.p = p;
  end Sink;

  model FlowSink "Takes up a constant mass flow"
    parameter SI.MassFlowRate m_flow "Mass flow into the inlet";
    Inlet inlet;
  equation
    inlet.m_flow = m_flow;
  end FlowSink;

  // ---------------------------------------------------------------- storage

  model Volume "Vessel of one pressure and one temperature: der(m) = sum of m_flow, der(U) = sum of m_flow*h + Q_flow"
    parameter Media.Medium medium "Fluid";
    parameter SI.Volume V "Volume";
    parameter SI.Pressure p_start = 1e5 "Start value of p, not fixed";
    parameter SI.Temperature T_start = 293.15 "Start value of T, not fixed";
    SI.Pressure p(start = p_start, nominal = 1e5) "Pressure; of a liquid there is no storage, and p comes from the circuit";
    SI.Temperature T(start = T_start, nominal = 300) "Temperature";
    SI.Mass m(start = V*density(medium, T_start, p_start)) "Mass";
    SI.InternalEnergy U(start = V*density(medium, T_start, p_start)*specificInternalEnergy(medium, T_start), nominal = 1e5) "Internal energy";
    Inlet inlet;
    Outlet outlet;
    Thermal.HeatPort port "Heat into the fluid";
  equation
    m = V*density(medium, T, p);
    U = m*specificInternalEnergy(medium, T);
    der(m) = inlet.m_flow + outlet.m_flow;
    der(U) = inlet.m_flow*inlet.h + outlet.m_flow*outlet.h + port.Q_flow;
    outlet.h = specificEnthalpy(medium, T, p);
    inlet.p = p;
    outlet.p = p;
    port.T = T;
    annotation(__daedal(fluid(inlet = fingerprint(medium), outlet = inlet)));
  end Volume;

  model Tank "Open tank of liquid that is stirred, filled at the top and emptied at the bottom:
    rho*A*der(level) = sum of m_flow, outlet.p = p_ambient + rho*g*level, m*cp*der(T) = inlet.m_flow*(inlet.h - h) + Q_flow"
    parameter Media.Medium medium = water "Liquid";
    parameter SI.Area A "Cross section";
    parameter SI.Pressure p_ambient = 101325 "Pressure above the liquid";
    parameter SI.Height level_start = 1 "Start value of level, not fixed";
    parameter SI.Temperature T_start = 293.15 "Start value of T, not fixed";
    SI.Height level(start = level_start) "Level; the tank must not run dry";
    SI.Temperature T(start = T_start, nominal = 300) "Temperature";
    SI.Mass m(nominal = 1000) "Mass";
    Inlet inlet "Above the liquid";
    Outlet outlet "At the bottom";
    Thermal.HeatPort port "Heat into the liquid";
  equation
    assert(medium.liquid, "Tank is for liquids; for gases there is Volume");
    assert(level > 0, "the tank has run dry");
    m = medium.rho*A*level;
    medium.rho*A*der(level) = inlet.m_flow + outlet.m_flow;
    m*specificHeatCapacity(medium, T)*der(T) = inlet.m_flow*(inlet.h - specificEnthalpy(medium, T, p_ambient)) + port.Q_flow;
    inlet.p = p_ambient;
    outlet.p = p_ambient + medium.rho*Modelica.Constants.g_n*level;
    outlet.h = specificEnthalpy(medium, T, outlet.p);
    port.T = T;
    annotation(__daedal(fluid(inlet = fingerprint(medium), outlet = inlet)));
  end Tank;

  model ExpansionVessel "Closed vessel of liquid below a cushion of gas, which gives a closed circuit its pressure:
    p*(V - V_liquid)^n = p_gas*V^n, rho*der(V_liquid) = sum of m_flow, m*cp*der(T) = inlet.m_flow*(inlet.h - h) + Q_flow"
    parameter Media.Medium medium = water "Liquid";
    parameter SI.Volume V "Volume of the vessel";
    parameter SI.Pressure p_gas "Pressure of the gas without liquid";
    parameter Real n(min = 1) = 1 "Polytropic exponent: 1 for slow changes";
    parameter SI.Volume V_start = V/2 "Start value of V_liquid, not fixed";
    parameter SI.Temperature T_start = 293.15 "Start value of T, not fixed";
    SI.Volume V_liquid(start = V_start, nominal = V) "Volume of the liquid; above 0 and below V";
    SI.Temperature T(start = T_start, nominal = 300) "Temperature of the liquid";
    SI.Pressure p(nominal = 1e5) "Pressure";
    Inlet inlet;
    Outlet outlet;
    Thermal.HeatPort port "Heat into the liquid";
  equation
    assert(medium.liquid, "ExpansionVessel is for liquids; for gases there is Volume");
    assert(V_liquid > 0, "the expansion vessel has run empty");
    p*(1 - V_liquid/V)^n = p_gas;
    medium.rho*der(V_liquid) = inlet.m_flow + outlet.m_flow;
    medium.rho*V_liquid*specificHeatCapacity(medium, T)*der(T) = inlet.m_flow*(inlet.h - specificEnthalpy(medium, T, p)) + port.Q_flow;
    inlet.p = p;
    outlet.p = p;
    outlet.h = specificEnthalpy(medium, T, p);
    port.T = T;
    annotation(__daedal(fluid(inlet = fingerprint(medium), outlet = inlet)));
  end ExpansionVessel;

  model Boiler "Drum in which water boils (K. J. Astrom, R. D. Bell, Automatica 36 (2000) 363-378, Sec. 3, with two states):
    der(rho_w*V_w + rho_s*V_s) = sum of m_flow, der(energy of water, steam and metal) = sum of m_flow*h + Q_flow; steam leaves"
    parameter SI.Volume V "Volume of water and steam";
    parameter SI.HeatCapacity C = 0 "Heat capacity of the metal, which has the temperature of the water";
    parameter SI.Temperature T_start = 453.15 "Start value of T, not fixed";
    parameter SI.Volume V_start = V/2 "Start value of V_w, not fixed";
    SI.Temperature T(start = T_start, nominal = 300) "Temperature at which the water boils";
    SI.Pressure p(start = saturationPressure(T_start), nominal = 1e6) "Pressure";
    SI.Volume V_w(start = V_start, nominal = V) "Volume of water; above 0 and below V";
    SI.Mass m(start = V_start*boilingDensity(T_start) + (V - V_start)*steamDensity(T_start), nominal = 1000*V) "Mass of water and steam";
    SI.Energy U(start = V_start*boilingDensity(T_start)*boilingEnthalpy(T_start) + (V - V_start)*steamDensity(T_start)*steamEnthalpy(T_start)
      - saturationPressure(T_start)*V + C*T_start, nominal = 1e8*V) "Energy of water, steam and metal";
    Inlet inlet "Feed water";
    Outlet outlet "Steam";
    Thermal.HeatPort port "Heat into the water";
  equation
    assert(V_w > 0 and V_w < V, if V_w < V/2 then "the boiler has boiled dry" else "the boiler is full of water, without steam");
    assert(T < T_critical - 0.5, "water and steam are about the same near the critical point: T = " + String(T) + " K");
    p = saturationPressure(T);
    m = boilingDensity(T)*V_w + steamDensity(T)*(V - V_w);
    U = boilingDensity(T)*boilingEnthalpy(T)*V_w + steamDensity(T)*steamEnthalpy(T)*(V - V_w) - p*V + C*T;
    der(m) = inlet.m_flow + outlet.m_flow;
    der(U) = inlet.m_flow*inlet.h + outlet.m_flow*outlet.h + port.Q_flow;
    outlet.h = steamEnthalpy(T);
    inlet.p = p;
    outlet.p = p;
    port.T = T;
  end Boiler;

  // ---------------------------------------------------------------- pipes, valves, junctions

  model Pipe "Pipe with friction (dp = f(Re)*L/D*m_flow^2/(2*rho*A^2), Churchill: Hydraulic.frictionFactor) and heat transfer, see Cells"
    extends Cells(final V = A*L, final R = if alpha < Modelica.Constants.inf then 1/(alpha*pi*D*L) else 0);
    parameter SI.Length L "Length";
    parameter SI.Diameter D "Inner diameter";
    parameter SI.Length roughness(min = 0) = 0 "Height of the roughness";
    parameter SI.CoefficientOfHeatTransfer alpha = Modelica.Constants.inf "Coefficient of heat transfer to the wall; by default the ports have the temperature of the fluid";
    SI.ReynoldsNumber Re(nominal = 1e4) "Reynolds number";
  protected
    parameter SI.Area A = pi/4*D^2;
  equation
    Re = m_flow*D/(A*medium.mu);
    dp = Hydraulic.frictionFactor(Re, roughness/D)*medium.mu*L/(2*D^2)*m_flow/(A*density(medium, T[1], inlet.p));
  end Pipe;

  model PressureLoss "dp = dp_nominal*(m_flow/m_flow_nominal)^2, linear below 1 % of m_flow_nominal"
    extends TwoPorts;
    parameter SI.MassFlowRate m_flow_nominal "Mass flow at which";
    parameter SI.PressureDifference dp_nominal "the pressure falls by this";
  equation
    outlet.h = inlet.h;
    dp = dp_nominal*m_flow*sqrt(m_flow^2 + (0.01*m_flow_nominal)^2)/m_flow_nominal^2;
  end PressureLoss;

  model Valve "Valve for liquids: m_flow = opening*Av*sqrt(rho*dp), smooth below dp_small; Av = 27.7e-6*Kv with Kv in m3/h (IEC 60534)"
    extends TwoPorts;
    parameter SI.Area Av "Flow coefficient when it is open";
    parameter SI.PressureDifference dp_small = 10 "Pressure difference of the transition to laminar flow";
    Blocks.RealInput opening(unit = "1") "Opening, 0 to 1";
  equation
    outlet.h = inlet.h;
    m_flow = opening*Av*sqrt(medium.rho)*dp/(dp^2 + dp_small^2)^0.25;
    assert(medium.liquid, "Valve is for liquids; for gases there is Nozzle");
  end Valve;

  model Nozzle "Nozzle or valve for gases, isentropic, choked where the pressure ratio r falls below r_c = (2/(k + 1))^(k/(k - 1)):
    m_flow = A*p_in*sqrt(2*k/((k - 1)*R*T)*(r^(2/k) - r^((k + 1)/k))) (A. H. Shapiro, Compressible Fluid Flow I, 1953, Sec. 4)"
    extends TwoPorts;
    parameter SI.Area A "Area of the throat, with the discharge coefficient";
    parameter Real k = 1.4 "Isentropic exponent";
    SI.Temperature T(start = 300, nominal = 300) "Temperature at the inlet";
    Real r(start = 1) "Pressure ratio, limited by that of the choked nozzle";
  protected
    parameter Real r_c = (2/(k + 1))^(k/(k - 1));
    Real g = r^(2/k) - r^((k + 1)/k);
  equation
    assert(not medium.liquid, "Nozzle is for gases; for liquids there is Valve");
    outlet.h = inlet.h;
    inlet.h = specificEnthalpy(medium, T, inlet.p);
    r = max(r_c, outlet.p/inlet.p);
    m_flow = A*inlet.p*sqrt(2*k/((k - 1)*medium.R*T))*g/(g^2 + 1e-12)^0.25;
  end Nozzle;

  model Mixer "Joins two flows at one pressure: sum of m_flow = 0, sum of m_flow*h = 0; some fluid must flow"
    Inlet inlet1, inlet2;
    Outlet outlet;
  equation
    inlet1.p = outlet.p;
    inlet2.p = outlet.p;
    inlet1.m_flow + inlet2.m_flow + outlet.m_flow = 0;
    inlet1.m_flow*inlet1.h + inlet2.m_flow*inlet2.h + outlet.m_flow*outlet.h = 0;
    annotation(__daedal(fluid(inlet2 = inlet1, outlet = inlet1)));
  end Mixer;

  // ---------------------------------------------------------------- machines

  model Pump "Centrifugal pump for liquids, by the laws of affinity: -dp = dp_max*(n^2 - (V_flow/V_flow_max)^2)"
    extends Machine(medium = water);
    parameter SI.PressureDifference dp_max "Rise of pressure without a flow, at n = 1";
    parameter SI.VolumeFlowRate V_flow_max "Volume flow without a rise of pressure, at n = 1";
    parameter Real eta(min = 0, max = 1) = 0.7 "Efficiency";
    Blocks.RealInput n(unit = "1") "Speed, 1 at that of dp_max and V_flow_max";
    Real v(start = 0.5) "Volume flow by V_flow_max";
  equation
    v = m_flow/(medium.rho*V_flow_max);
    dp = -dp_max*(n^2 - v*abs(v));
    outlet.h = inlet.h - dp/(eta*medium.rho);
    assert(medium.liquid, "Pump is for liquids; for gases there is Compressor");
  end Pump;

  model Compressor "Turbo-compressor of the isentropic efficiency eta, by the laws of affinity:
    dh_isentropic = psi*(u^2 - (V_flow/(phi_max*pi/4*D^2))^2), where u = w*D/2 (S. L. Dixon, Fluid Mechanics of Turbomachinery, Sec. 2)"
    extends ShaftMachine(medium = air);
    parameter SI.Diameter D "Diameter at the tips of the blades";
    parameter Real psi = 0.6 "Head coefficient dh_isentropic/u^2 without a flow";
    parameter Real phi_max = 0.3 "Flow coefficient V_flow/(pi/4*D^2*u) without a head";
    parameter Real eta(min = 0, max = 1) = 0.8 "Isentropic efficiency";
    SI.VolumeFlowRate V_flow "Volume flow at the inlet";
  equation
    assert(not medium.liquid, "Compressor is for gases; for liquids there is Pump");
    V_flow = m_flow/density(medium, T_in, inlet.p);
    dh_isentropic = psi*((w*D/2)^2 - V_flow*abs(V_flow)/(phi_max*pi/4*D^2)^2);
    outlet.h = inlet.h + dh_isentropic/eta;
  end Compressor;

  model Turbine "Turbine of the isentropic efficiency eta, by Stodola's cone:
    m_flow = A*inlet.p/sqrt(R*T_in)*sqrt(1 - (outlet.p/inlet.p)^2) (A. Stodola, Dampf- und Gasturbinen, 1922)"
    extends ShaftMachine(medium = air);
    parameter SI.Area A "Constant of the cone";
    parameter Real eta(min = 0, max = 1) = 0.85 "Isentropic efficiency";
  protected
    Real g = 1 - (outlet.p/inlet.p)^2;
  equation
    assert(not medium.liquid, "Turbine is for gases");
    m_flow = A*inlet.p/sqrt(medium.R*T_in)*g/(g^2 + 1e-12)^0.25;
    outlet.h = inlet.h + eta*dh_isentropic;
  end Turbine;

  // ---------------------------------------------------------------- heat

  model Combustor "Burns the mass flow of fuel of a signal: outlet.h*(m_flow + fuel) = inlet.h*m_flow + eta*H_u*fuel; burnt gas counts as the medium"
    Inlet inlet;
    Outlet outlet;
    parameter SI.SpecificEnergy H_u = 43e6 "Lower heating value";
    parameter Real eta(min = 0, max = 1) = 1 "Part of it that is set free";
    parameter Real loss(min = 0) = 0 "Loss of pressure by the pressure";
    Blocks.RealInput fuel(unit = "kg/s") "Mass flow of fuel";
  equation
    outlet.p = (1 - loss)*inlet.p;
    inlet.m_flow + outlet.m_flow + fuel = 0;
    inlet.h*inlet.m_flow + eta*H_u*fuel + outlet.h*outlet.m_flow = 0;
    annotation(__daedal(fluid(outlet = inlet)));
  end Combustor;

  model HeatExchanger "Counter-flow heat exchanger of n cells on both sides of a wall, without a loss of pressure, see Cells"
    parameter Media.Medium hot_medium "Fluid that gives off heat";
    parameter Media.Medium cold_medium "Fluid that takes up heat";
    parameter Integer n(min = 1) = 5 "Number of cells";
    parameter SI.Volume V_hot "Volume of the hot side";
    parameter SI.Volume V_cold "Volume of the cold side";
    parameter SI.ThermalConductance G_hot "Coefficient of heat transfer times area, hot side";
    parameter SI.ThermalConductance G_cold "Coefficient of heat transfer times area, cold side";
    parameter SI.HeatCapacity C "Heat capacity of the wall, more than 0";
    parameter SI.Temperature T_hot = 293.15 "Start value of the hot side, not fixed";
    parameter SI.Temperature T_cold = 293.15 "Start value of the cold side, not fixed";
    HeatedChannel hot(medium = hot_medium, n = n, V = V_hot, R = 1/G_hot, T_start = T_hot) "Hot side";
    HeatedChannel cold(medium = cold_medium, n = n, V = V_cold, R = 1/G_cold, T_start = T_cold) "Cold side";
    Thermal.HeatCapacitor wall[n](each C = C/n, each T(start = (T_hot + T_cold)/2)) "Wall, in the direction of the hot side";
    SI.HeatFlowRate Q_flow "Heat flow into the cold side";
    Inlet inlet_hot, inlet_cold;
    Outlet outlet_hot, outlet_cold;
  equation
    connect(inlet_hot, hot.inlet);
    connect(hot.outlet, outlet_hot);
    connect(inlet_cold, cold.inlet);
    connect(cold.outlet, outlet_cold);
    for i in 1:n loop
      connect(hot.port[i], wall[i].port);
      connect(cold.port[n + 1 - i], wall[i].port);
    end for;
    Q_flow = sum(cold.port.Q_flow);
  end HeatExchanger;

  model HeatedChannel "Channel with heat transfer and without a loss of pressure, see Cells"
    extends Cells;
  equation
    dp = 0;
  end HeatedChannel;

  model EffectivenessExchanger "Counter-flow heat exchanger at rest, by its exact solution:
    Q_flow = (T_hot - T_cold)*UA*f/(1 + UA*f/C_cold), f = (1 - exp(-x))/x, x = UA*(1/C_hot - 1/C_cold), C = m_flow*cp; fluid must flow on both sides
    (W. M. Kays, A. L. London, Compact Heat Exchangers, 1984, Chap. 2)"
    parameter Media.Medium hot_medium "Fluid that gives off heat";
    parameter Media.Medium cold_medium "Fluid that takes up heat";
    parameter SI.ThermalConductance UA "Overall coefficient of heat transfer times area";
    SI.HeatFlowRate Q_flow "Heat flow into the cold side";
    SI.Temperature T_hot(start = 300, nominal = 300) "Temperature at the hot inlet";
    SI.Temperature T_cold(start = 300, nominal = 300) "Temperature at the cold inlet";
    Inlet inlet_hot(m_flow(start = 1)), inlet_cold(m_flow(start = 1));
    Outlet outlet_hot, outlet_cold;
  protected
    Real C_hot(unit = "W/K") = inlet_hot.m_flow*specificHeatCapacity(hot_medium, T_hot);
    Real C_cold(unit = "W/K") = inlet_cold.m_flow*specificHeatCapacity(cold_medium, T_cold);
    Real f = exponentialMean(UA/C_hot - UA/C_cold);
  equation
    inlet_hot.h = specificEnthalpy(hot_medium, T_hot, inlet_hot.p);
    inlet_cold.h = specificEnthalpy(cold_medium, T_cold, inlet_cold.p);
    Q_flow = (T_hot - T_cold)*UA*f/(1 + UA*f/C_cold);
    inlet_hot.p = outlet_hot.p;
    inlet_cold.p = outlet_cold.p;
    inlet_hot.m_flow + outlet_hot.m_flow = 0;
    inlet_cold.m_flow + outlet_cold.m_flow = 0;
    inlet_hot.m_flow*(inlet_hot.h - outlet_hot.h) = Q_flow;
    inlet_cold.m_flow*(outlet_cold.h - inlet_cold.h) = Q_flow;
    annotation(__daedal(fluid(inlet_hot = fingerprint(hot_medium), outlet_hot = inlet_hot,
      inlet_cold = fingerprint(cold_medium), outlet_cold = inlet_cold)));
  end EffectivenessExchanger;

  function exponentialMean "(1 - exp(-x))/x, which is 1 at 0"
    input Real x;
    output Real f = if abs(x) < 0.01 then 1 - x/2*(1 - x/3*(1 - x/4*(1 - x/5*(1 - x/6)))) else (1 - exp(-x))/x;
  algorithm
  end exponentialMean;

  // ---------------------------------------------------------------- sensors

  model TemperatureSensor "Measures the temperature of what flows through"
    extends TwoPorts;
    Blocks.RealOutput T(unit = "K", start = 300) "Temperature";
  equation
    dp = 0;
    outlet.h = inlet.h;
    inlet.h = specificEnthalpy(medium, T, inlet.p);
  end TemperatureSensor;

  model FlowSensor "Measures the mass flow that passes"
    Inlet inlet;
    Outlet outlet;
    Blocks.RealOutput m_flow(unit = "kg/s") "Mass flow";
  equation
    inlet.p = outlet.p;
    inlet.m_flow + outlet.m_flow = 0;
    outlet.h = inlet.h;
    m_flow = inlet.m_flow;
    annotation(__daedal(fluid(outlet = inlet)));
  end FlowSensor;

  model PressureSensor "Measures the pressure, without a flow"
    Inlet inlet;
    Blocks.RealOutput p(unit = "Pa") "Pressure";
  equation
    inlet.m_flow = 0;
    p = inlet.p;
  end PressureSensor;
end Fluid;
