within Daedal;
package Thermal "Lumped heat transfer: storage, conduction, convection, radiation, walls"
  import Modelica.Units.SI;

  connector HeatPort "Place with one temperature, through which heat flows"
    SI.Temperature T(min = 0, nominal = 300) "Temperature";
    flow SI.HeatFlowRate Q_flow "Heat flow into the component";
  end HeatPort;

  partial model TwoPorts "Heat flows through without being stored"
    HeatPort port_a "Side from which a positive Q_flow comes";
    HeatPort port_b "Side to which a positive Q_flow goes";
    SI.HeatFlowRate Q_flow "Heat flow from port_a to port_b";
    SI.TemperatureDifference dT "T of port_a less T of port_b";
  equation
    dT = port_a.T - port_b.T;
    Q_flow = port_a.Q_flow;
    port_a.Q_flow + port_b.Q_flow = 0;
  end TwoPorts;

  model HeatCapacitor "Body of one temperature: C der(T) = Q_flow"
    parameter SI.HeatCapacity C "Heat capacity, m c";
    SI.Temperature T(start = 293.15, nominal = 300) "Temperature; its start is not fixed";
    HeatPort port;
  equation
    T = port.T;
    C*der(T) = port.Q_flow;
  end HeatCapacitor;

  model LatentHeatStorage "Body that melts at T_melt: der(H) = Q_flow, and T follows from the enthalpy H"
    parameter SI.Mass m(min = 0) "Mass";
    parameter SI.SpecificHeatCapacity c_solid "Specific heat capacity below T_melt";
    parameter SI.SpecificHeatCapacity c_liquid = c_solid "Specific heat capacity above T_melt";
    parameter SI.SpecificEnergy L "Heat of melting";
    parameter SI.Temperature T_melt "Temperature of melting";
    parameter SI.Temperature T_start = 293.15 "Start value of T, on a side of T_melt; it is not fixed";
    SI.Enthalpy H(start = m*(if T_start < T_melt then c_solid*(T_start - T_melt) else L + c_liquid*(T_start - T_melt)),
      nominal = m*L) "Enthalpy, 0 where the last solid begins to melt at T_melt";
    SI.MassFraction liquid "Share that is liquid";
    SI.Temperature T(start = T_start, nominal = 300) "Temperature";
    HeatPort port;
  equation
    der(H) = port.Q_flow;
    T = T_melt + (if H < 0 then H/(m*c_solid) elseif H > m*L then (H - m*L)/(m*c_liquid) else 0);
    liquid = if H < 0 then 0 elseif H > m*L then 1 else H/(m*L);
    port.T = T;
  end LatentHeatStorage;

  model ThermalConductor "Conduction: Q_flow = G dT; a plane layer has G = lambda A/d"
    extends TwoPorts;
    parameter SI.ThermalConductance G "Conductance";
  equation
    Q_flow = G*dT;
  end ThermalConductor;

  model ThermalResistor "Conduction: dT = R Q_flow; R may be 0"
    extends TwoPorts;
    parameter SI.ThermalResistance R "Resistance";
  equation
    dT = R*Q_flow;
  end ThermalResistor;

  model Convection "Heat from a solid to a fluid: Q_flow = Gc (T of solid - T of fluid)"
    HeatPort solid "Surface";
    HeatPort fluid "Fluid that flows along it";
    Blocks.RealInput Gc(unit = "W/K") "Coefficient of heat transfer times area; a signal, or a value such as Gc = 8*A";
    SI.HeatFlowRate Q_flow "Heat flow from solid to fluid";
    SI.TemperatureDifference dT "T of solid less T of fluid";
  equation
    dT = solid.T - fluid.T;
    Q_flow = solid.Q_flow;
    solid.Q_flow + fluid.Q_flow = 0;
    Q_flow = Gc*dT;
  end Convection;

  model BodyRadiation "Radiation: Q_flow = Gr sigma (T_a^4 - T_b^4) (Stefan and Boltzmann)"
    extends TwoPorts;
    parameter SI.Area Gr "Net radiation conductance: A epsilon for a small body in large surroundings";
  equation
    Q_flow = Gr*Modelica.Constants.sigma*(port_a.T^4 - port_b.T^4);
  end BodyRadiation;

  model Wall "Plane wall of layers, each divided into cells of one temperature (finite volumes)"
    parameter SI.Area A "Area";
    parameter SI.Length d[:] "Thickness of each layer, from port_a to port_b";
    parameter SI.ThermalConductivity lambda[size(d, 1)] "Conductivity of each layer";
    parameter SI.Density rho[size(d, 1)] "Density of each layer";
    parameter SI.SpecificHeatCapacity c[size(d, 1)] "Specific heat capacity of each layer";
    parameter Integer cells(min = 1) = 3 "Number of cells in each layer";
    parameter SI.Temperature T_start = 293.15 "Start value of all T, not fixed";
    final parameter Integer n = cells*size(d, 1) "Number of cells";
    SI.Temperature T[n](each start = T_start, each nominal = 300) "Temperatures at the centres of the cells";
    SI.HeatFlowRate Q_flow[n + 1] "Heat flows at the faces of the cells, towards port_b";
    HeatPort port_a "Surface before the first layer";
    HeatPort port_b "Surface after the last layer";
  protected
    parameter SI.ThermalResistance R[n] = {d[div(i - 1, cells) + 1]/(cells*lambda[div(i - 1, cells) + 1]*A) for i in 1:n}
      "Resistances of the cells";
    parameter SI.HeatCapacity C[n] = {A*d[div(i - 1, cells) + 1]/cells*rho[div(i - 1, cells) + 1]*c[div(i - 1, cells) + 1] for i in 1:n}
      "Heat capacities of the cells";
  equation
    port_a.T - T[1] = R[1]/2*Q_flow[1];
    for i in 2:n loop
      T[i - 1] - T[i] = (R[i - 1] + R[i])/2*Q_flow[i];
    end for;
    T[n] - port_b.T = R[n]/2*Q_flow[n + 1];
    for i in 1:n loop
      C[i]*der(T[i]) = Q_flow[i] - Q_flow[i + 1];
    end for;
    port_a.Q_flow = Q_flow[1];
    port_b.Q_flow = -Q_flow[n + 1];
  end Wall;

  model FixedTemperature "Surroundings of a constant temperature"
    parameter SI.Temperature T "Temperature";
    HeatPort port;
  equation
    port.T = T;
  end FixedTemperature;

  model FixedHeatFlow "Constant heat flow out of the port: Q_flow (1 + alpha (T - T_ref))"
    parameter SI.HeatFlowRate Q_flow "Heat flow at T_ref";
    parameter SI.Temperature T_ref = 293.15 "Temperature at which it is Q_flow";
    parameter SI.LinearTemperatureCoefficient alpha = 0 "Relative change of the heat flow by temperature";
    HeatPort port;
  equation
    port.Q_flow = -Q_flow*(1 + alpha*(port.T - T_ref));
  end FixedHeatFlow;

  model PrescribedTemperature "Surroundings whose temperature is a signal"
    Blocks.RealInput T(unit = "K") "Temperature";
    HeatPort port;
  equation
    port.T = T;
  end PrescribedTemperature;

  model PrescribedHeatFlow "Heat flow out of the port by a signal: Q_flow (1 + alpha (T - T_ref))"
    parameter SI.Temperature T_ref = 293.15 "Temperature at which it is Q_flow";
    parameter SI.LinearTemperatureCoefficient alpha = 0 "Relative change of the heat flow by temperature";
    Blocks.RealInput Q_flow(unit = "W") "Heat flow at T_ref";
    HeatPort port;
  equation
    port.Q_flow = -Q_flow*(1 + alpha*(port.T - T_ref));
  end PrescribedHeatFlow;

  model TemperatureSensor "Measures T of its port without a heat flow"
    HeatPort port;
    Blocks.RealOutput T(unit = "K") "Temperature";
  equation
    T = port.T;
    port.Q_flow = 0;
  end TemperatureSensor;

  model RelTemperatureSensor "Measures the difference of two temperatures without a heat flow"
    HeatPort port_a, port_b;
    Blocks.RealOutput T_rel(unit = "K") "T of port_a less T of port_b";
  equation
    T_rel = port_a.T - port_b.T;
    port_a.Q_flow = 0;
    port_b.Q_flow = 0;
  end RelTemperatureSensor;

  model HeatFlowSensor "Measures the heat flow from port_a to port_b, without a resistance"
    HeatPort port_a, port_b;
    Blocks.RealOutput Q_flow(unit = "W") "Heat flow from port_a to port_b";
  equation
    port_a.T = port_b.T;
    port_a.Q_flow + port_b.Q_flow = 0;
    Q_flow = port_a.Q_flow;
  end HeatFlowSensor;
end Thermal;
