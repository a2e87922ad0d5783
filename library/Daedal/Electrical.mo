within Daedal;
package Electrical "Electric circuits of lumped components"
  import Modelica.Units.SI;

  // ---------------------------------------------------------------- connectors and what components have in common

  connector Pin "Pin of an electrical component"
    SI.Voltage v "Potential of the node";
    flow SI.Current i "Current into the component";
  end Pin;

  partial model TwoPin "Component with two pins: a voltage along it and a current through it"
    Pin p "Positive pin";
    Pin n "Negative pin";
    SI.Voltage v "Voltage from p to n, v = p.v - n.v";
    SI.Current i "Current from p through the component to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  partial model TwoPort "Component with two pairs of pins, each of which has a voltage and a current"
    Pin p1 "Positive pin of the first side";
    Pin n1 "Negative pin of the first side";
    Pin p2 "Positive pin of the second side";
    Pin n2 "Negative pin of the second side";
    SI.Voltage v1 "Voltage from p1 to n1";
    SI.Voltage v2 "Voltage from p2 to n2";
    SI.Current i1 "Current from p1 to n1";
    SI.Current i2 "Current from p2 to n2";
  equation
    v1 = p1.v - n1.v;
    v2 = p2.v - n2.v;
    i1 = p1.i;
    i2 = p2.i;
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
  end TwoPort;

  // ---------------------------------------------------------------- linear components

  model Ground "Node of potential 0, of which each circuit needs one: p.v = 0"
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor "Ohmic resistor: v = R*i"
    extends TwoPin;
    parameter SI.Resistance R(start = 1) "Resistance";
  equation
    v = R*i;
  end Resistor;

  model HeatingResistor "Resistor that grows with its temperature and gives its loss off as heat: v = R*i, R = R_ref*(1 + alpha*(T - T_ref))"
    extends TwoPin;
    parameter SI.Resistance R_ref(start = 1) "Resistance at T_ref";
    parameter SI.Temperature T_ref = 300.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha = 0 "Temperature coefficient; 3.9e-3 1/K of copper";
    Daedal.Thermal.HeatPort heatPort "Takes the heat v*i";
    SI.Resistance R "Resistance at the temperature of heatPort";
    SI.Power LossPower "Loss, v*i";
  equation
    R = R_ref*(1 + alpha*(heatPort.T - T_ref));
    v = R*i;
    LossPower = v*i;
    heatPort.Q_flow = -LossPower;
  end HeatingResistor;

  model Conductor "Ohmic conductor: i = G*v"
    extends TwoPin;
    parameter SI.Conductance G(start = 1) "Conductance";
  equation
    i = G*v;
  end Conductor;

  model VariableResistor "Resistor whose resistance is a signal: v = R*i"
    extends TwoPin;
    Daedal.Blocks.RealInput R(unit = "Ohm") "Resistance";
  equation
    v = R*i;
  end VariableResistor;

  model Capacitor "Capacitor: C*der(v) = i. The start value of v is a guess; v(fixed = true) makes it a condition"
    extends TwoPin(v(start = 0));
    parameter SI.Capacitance C(min = 0, start = 1) "Capacitance";
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor "Inductor: L*der(i) = v. The start value of i is a guess; i(fixed = true) makes it a condition"
    extends TwoPin(i(start = 0));
    parameter SI.Inductance L(start = 1) "Inductance";
  equation
    L*der(i) = v;
  end Inductor;

  model Transformer "Two coupled coils: v1 = L1*der(i1) + M*der(i2), v2 = M*der(i1) + L2*der(i2), with M^2 <= L1*L2"
    extends TwoPort(i1(start = 0), i2(start = 0));
    parameter SI.Inductance L1(min = 0, start = 1) "Inductance of the first coil";
    parameter SI.Inductance L2(min = 0, start = 1) "Inductance of the second coil";
    parameter SI.Inductance M(start = 1) "Mutual inductance, k*sqrt(L1*L2) by the coupling k";
  equation
    v1 = L1*der(i1) + M*der(i2);
    v2 = M*der(i1) + L2*der(i2);
  end Transformer;

  model IdealTransformer "Transformer without losses, leakage and magnetizing current: v1 = n*v2, i2 = -n*i1; also of direct current"
    extends TwoPort;
    parameter Real n(start = 1) "Turns of the first coil by those of the second one";
  equation
    v1 = n*v2;
    i2 = -n*i1;
  end IdealTransformer;

  model Gyrator "Gyrator: i1 = G*v2, i2 = -G*v1"
    extends TwoPort;
    parameter SI.Conductance G(start = 1) "Gyration conductance";
  equation
    i1 = G*v2;
    i2 = -G*v1;
  end Gyrator;

  model VCV "Voltage controlled by a voltage: v2 = gain*v1, i1 = 0"
    extends TwoPort;
    parameter Real gain(start = 1) "Amplification";
  equation
    v2 = gain*v1;
    i1 = 0;
  end VCV;

  model VCC "Current controlled by a voltage: i2 = transConductance*v1, i1 = 0"
    extends TwoPort;
    parameter SI.Conductance transConductance(start = 1) "Current by voltage";
  equation
    i2 = transConductance*v1;
    i1 = 0;
  end VCC;

  model CCV "Voltage controlled by a current: v2 = transResistance*i1, v1 = 0"
    extends TwoPort;
    parameter SI.Resistance transResistance(start = 1) "Voltage by current";
  equation
    v2 = transResistance*i1;
    v1 = 0;
  end CCV;

  model CCC "Current controlled by a current: i2 = gain*i1, v1 = 0"
    extends TwoPort;
    parameter Real gain(start = 1) "Amplification";
  equation
    i2 = gain*i1;
    v1 = 0;
  end CCC;

  // ---------------------------------------------------------------- sources

  model ConstantVoltage "Constant voltage: v = V"
    extends TwoPin;
    parameter SI.Voltage V(start = 1) "Voltage";
  equation
    v = V;
  end ConstantVoltage;

  model SineVoltage "Sine voltage: v = offset + V*sin(2*pi*f*(time - startTime) + phase), before startTime offset"
    extends TwoPin;
    parameter SI.Voltage V(start = 1) "Amplitude";
    parameter SI.Angle phase = 0 "Phase at startTime";
    parameter SI.Frequency f(start = 1) "Frequency";
    parameter SI.Voltage offset = 0 "Mean";
    parameter SI.Time startTime = 0 "The sine begins here";
  equation
    v = offset + (if time < startTime then 0 else V*sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end SineVoltage;

  model StepVoltage "Voltage that steps: v = offset, from startTime on offset + V"
    extends TwoPin;
    parameter SI.Voltage V(start = 1) "Height of the step";
    parameter SI.Voltage offset = 0 "Before the step";
    parameter SI.Time startTime = 0 "Of the step";
  equation
    v = offset + (if time < startTime then 0 else V);
  end StepVoltage;

  model RampVoltage "Voltage that rises from offset at startTime to offset + V within duration"
    extends TwoPin;
    parameter SI.Voltage V(start = 1) "Height of the ramp";
    parameter SI.Time duration(min = 0, start = 2) "Duration of the ramp; 0 makes a step";
    parameter SI.Voltage offset = 0 "Before the ramp";
    parameter SI.Time startTime = 0 "The ramp begins here";
  equation
    v = offset + (if time < startTime then 0 elseif time < startTime + duration then V*(if duration > 0 then (time - startTime)/duration else 1) else V);
  end RampVoltage;

  model PulseVoltage "Rectangular pulses: from startTime on offset + V in the first width percent of each period, else offset"
    extends TwoPin;
    parameter SI.Voltage V = 1 "Height of the pulses";
    parameter Real width(min = 0, max = 100) = 50 "Width of the pulses in percent of the period";
    parameter SI.Time period(start = 1) "Period";
    parameter SI.Voltage offset = 0 "Between the pulses";
    parameter SI.Time startTime = 0 "The first pulse begins here";
  protected
    Daedal.Blocks.Pulse pulse(amplitude = V, width = width, period = period, offset = offset, startTime = startTime);
  equation
    v = pulse.y;
  end PulseVoltage;

  model TableVoltage "Voltage by a table of times and values: straight lines between them, held outside"
    extends TwoPin;
    parameter Real table[:, 2] "Rows {time in s, voltage in V}; the times ascend, two equal ones are a jump";
    parameter SI.Voltage offset = 0 "Added to the table";
    parameter SI.Time startTime = 0 "Added to the times of the table";
  protected
    Daedal.Blocks.TimeTable source(table = table, offset = offset, startTime = startTime);
  equation
    v = source.y;
  end TableVoltage;

  model SignalVoltage "Voltage by a signal: v is the input"
    Pin p "Positive pin";
    Pin n "Negative pin";
    Daedal.Blocks.RealInput v(unit = "V") "Voltage from p to n";
    SI.Current i "Current from p through the source to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end SignalVoltage;

  model ConstantCurrent "Constant current: i = I, from p through the source to n"
    extends TwoPin;
    parameter SI.Current I(start = 1) "Current";
  equation
    i = I;
  end ConstantCurrent;

  model SineCurrent "Sine current: i = offset + I*sin(2*pi*f*(time - startTime) + phase), before startTime offset"
    extends TwoPin;
    parameter SI.Current I(start = 1) "Amplitude";
    parameter SI.Angle phase = 0 "Phase at startTime";
    parameter SI.Frequency f(start = 1) "Frequency";
    parameter SI.Current offset = 0 "Mean";
    parameter SI.Time startTime = 0 "The sine begins here";
  equation
    i = offset + (if time < startTime then 0 else I*sin(2*Modelica.Constants.pi*f*(time - startTime) + phase));
  end SineCurrent;

  model StepCurrent "Current that steps: i = offset, from startTime on offset + I"
    extends TwoPin;
    parameter SI.Current I(start = 1) "Height of the step";
    parameter SI.Current offset = 0 "Before the step";
    parameter SI.Time startTime = 0 "Of the step";
  equation
    i = offset + (if time < startTime then 0 else I);
  end StepCurrent;

  model RampCurrent "Current that rises from offset at startTime to offset + I within duration"
    extends TwoPin;
    parameter SI.Current I(start = 1) "Height of the ramp";
    parameter SI.Time duration(min = 0, start = 2) "Duration of the ramp; 0 makes a step";
    parameter SI.Current offset = 0 "Before the ramp";
    parameter SI.Time startTime = 0 "The ramp begins here";
  equation
    i = offset + (if time < startTime then 0 elseif time < startTime + duration then I*(if duration > 0 then (time - startTime)/duration else 1) else I);
  end RampCurrent;

  model PulseCurrent "Rectangular pulses: from startTime on offset + I in the first width percent of each period, else offset"
    extends TwoPin;
    parameter SI.Current I = 1 "Height of the pulses";
    parameter Real width(min = 0, max = 100) = 50 "Width of the pulses in percent of the period";
    parameter SI.Time period(start = 1) "Period";
    parameter SI.Current offset = 0 "Between the pulses";
    parameter SI.Time startTime = 0 "The first pulse begins here";
  protected
    Daedal.Blocks.Pulse pulse(amplitude = I, width = width, period = period, offset = offset, startTime = startTime);
  equation
    i = pulse.y;
  end PulseCurrent;

  model TableCurrent "Current by a table of times and values: straight lines between them, held outside"
    extends TwoPin;
    parameter Real table[:, 2] "Rows {time in s, current in A}; the times ascend, two equal ones are a jump";
    parameter SI.Current offset = 0 "Added to the table";
    parameter SI.Time startTime = 0 "Added to the times of the table";
  protected
    Daedal.Blocks.TimeTable source(table = table, offset = offset, startTime = startTime);
  equation
    i = source.y;
  end TableCurrent;

  model SignalCurrent "Current by a signal: i is the input, from p through the source to n"
    Pin p "Positive pin";
    Pin n "Negative pin";
    SI.Voltage v "Voltage from p to n";
    Daedal.Blocks.RealInput i(unit = "A") "Current from p through the source to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end SignalCurrent;

  // ---------------------------------------------------------------- diodes and switches

  partial model IdealSemiconductor
    "Blocks with the conductance Goff, or conducts with the resistance Ron beyond Vknee. One unknown s is the voltage where it blocks and the current where it conducts"
    extends TwoPin;
    parameter SI.Resistance Ron(min = 0) = 1e-5 "Resistance where it conducts; 0 is ideal";
    parameter SI.Conductance Goff(min = 0) = 1e-5 "Conductance where it blocks; 0 is ideal, if each node still has a potential where all block";
    parameter SI.Voltage Vknee(min = 0) = 0 "Threshold voltage";
    Boolean off(start = true) "It blocks";
    Real s "v - Vknee where it blocks, in V; i - Goff*Vknee where it conducts, in A";
  equation
    v = (if off then s else Ron*s) + Vknee;
    i = (if off then Goff*s else s) + Goff*Vknee;
  end IdealSemiconductor;

  model IdealDiode "Diode that blocks or conducts: v = Vknee + Ron*s, i = s + Goff*Vknee for s >= 0; v = Vknee + s, i = Goff*v for s < 0"
    extends IdealSemiconductor;
  equation
    off = s < 0;
  end IdealDiode;

  model IdealThyristor "Diode that blocks until it is fired, and then conducts until its current ends"
    extends IdealSemiconductor(off(fixed = true));
    Daedal.Blocks.BooleanInput fire "Makes it conduct, if the voltage is above Vknee";
  equation
    off = s < 0 or pre(off) and not fire;
  end IdealThyristor;

  model IdealGTOThyristor "Thyristor that conducts only while fire holds"
    extends IdealSemiconductor;
    Daedal.Blocks.BooleanInput fire "Makes it conduct, if the voltage is above Vknee";
  equation
    off = s < 0 or not fire;
  end IdealGTOThyristor;

  model Diode "Exponential diode: i = Ids*(exp(v/Vt) - 1) + v/R, continued by a straight line above v = Maxexp*Vt (W. Shockley 1949)"
    extends TwoPin;
    parameter SI.Current Ids = 1e-6 "Saturation current";
    parameter SI.Voltage Vt = 0.04 "Voltage of the emission, 0.026 V times the emission coefficient";
    parameter Real Maxexp(min = 0) = 15 "Largest exponent";
    parameter SI.Resistance R = 1e8 "Parallel resistance";
  equation
    i = Ids*(if v > Maxexp*Vt then exp(Maxexp)*(1 + v/Vt - Maxexp) - 1 else exp(v/Vt) - 1) + v/R;
  end Diode;

  partial model IdealSwitch "Contact that is closed or open: v = Ron*i, or i = Goff*v"
    extends TwoPin;
    parameter SI.Resistance Ron(min = 0) = 1e-5 "Resistance where it is closed; 0 is ideal";
    parameter SI.Conductance Goff(min = 0) = 1e-5 "Conductance where it is open; 0 is ideal";
    Boolean off "It is open";
    Real s "v where it is open, in V; i where it is closed, in A";
  equation
    v = if off then s else Ron*s;
    i = if off then Goff*s else s;
  end IdealSwitch;

  model IdealOpeningSwitch "Switch that is open while control holds: v = Ron*i where it is closed, i = Goff*v where it is open"
    extends IdealSwitch;
    Daedal.Blocks.BooleanInput control "It is open";
  equation
    off = control;
  end IdealOpeningSwitch;

  model IdealClosingSwitch "Switch that is closed while control holds: v = Ron*i where it is closed, i = Goff*v where it is open"
    extends IdealSwitch;
    Daedal.Blocks.BooleanInput control "It is closed";
  equation
    off = not control;
  end IdealClosingSwitch;

  // ---------------------------------------------------------------- amplifiers

  partial model PartialOpAmp "Operational amplifier whose inputs take no current; what the output needs comes from ground"
    Pin in_p "Input that is not inverted";
    Pin in_n "Inverted input";
    Pin out "Output";
    SI.Voltage v_in "Voltage from in_p to in_n";
    SI.Voltage v_out "Potential of the output";
  equation
    v_in = in_p.v - in_n.v;
    v_out = out.v;
    in_p.i = 0;
    in_n.i = 0;
  end PartialOpAmp;

  model IdealOpAmp "Operational amplifier with infinite gain and no limits (a nullor): v_in = 0; it needs a feedback"
    extends PartialOpAmp;
  equation
    v_in = 0;
  end IdealOpAmp;

  model IdealOpAmpLimited "Operational amplifier with infinite gain and limits: v_in = 0 within them, else v_out = Vns or Vps"
    extends PartialOpAmp;
    parameter SI.Voltage Vps = 15 "Largest output";
    parameter SI.Voltage Vns = -15 "Least output";
    SI.Voltage s "The output within the limits, and beyond them the limit plus v_in";
  equation
    v_out = if s > Vps then Vps elseif s < Vns then Vns else s;
    v_in = s - v_out;
  end IdealOpAmpLimited;

  model OpAmp "Operational amplifier with the gain V0 between its limits: v_out = max(Vns, min(Vps, V0*v_in))"
    extends PartialOpAmp;
    parameter Real V0 = 15000 "Gain without a load";
    parameter SI.Voltage Vps = 15 "Largest output";
    parameter SI.Voltage Vns = -15 "Least output";
  equation
    v_out = if V0*v_in > Vps then Vps elseif V0*v_in < Vns then Vns else V0*v_in;
  end OpAmp;

  // ---------------------------------------------------------------- electromechanical converters

  model EMF "Converter of electrical into rotational power: v = k*w, tau = -k*i; its housing is fixed"
    extends TwoPin;
    parameter SI.ElectricalTorqueConstant k(start = 1) "Torque by current";
    Daedal.Rotational.Flange flange "Shaft";
    SI.Angle phi "Angle of the shaft";
    SI.AngularVelocity w "Speed of the shaft";
  equation
    phi = flange.phi;
    w = der(phi);
    v = k*w;
    flange.tau = -k*i;
  end EMF;

  model DCMotor "Motor with permanent magnets: v = R*i + L*der(i) + k*w, J*der(w) + d*w = k*i + flange.tau"
    extends TwoPin(i(start = 0));
    parameter SI.Resistance R(start = 0.05) "Resistance of the armature";
    parameter SI.Inductance L(start = 0.0015) "Inductance of the armature";
    parameter SI.ElectricalTorqueConstant k(start = 1) "Torque by current";
    parameter SI.Inertia J(min = 0, start = 0.15) "Inertia of the rotor";
    parameter SI.RotationalDampingConstant d(min = 0) = 0 "Viscous friction of the rotor";
    Daedal.Rotational.Flange flange "Shaft";
    SI.Angle phi(start = 0) "Angle of the rotor";
    SI.AngularVelocity w(start = 0) "Speed of the rotor";
    SI.Torque tau_e "Torque of the currents";
  equation
    phi = flange.phi;
    w = der(phi);
    v = R*i + L*der(i) + k*w;
    tau_e = k*i;
    J*der(w) = tau_e + flange.tau - d*w;
  end DCMotor;

  model TranslationalEMF "Converter of electrical into translational power: v = k*der(s), f = -k*i; its housing is fixed"
    extends TwoPin;
    parameter SI.ElectricalForceConstant k(start = 1) "Force by current";
    Daedal.Translational.Flange flange "Rod";
    SI.Position s "Position of the rod";
    SI.Velocity vel "Speed of the rod";
  equation
    s = flange.s;
    vel = der(s);
    v = k*vel;
    flange.f = -k*i;
  end TranslationalEMF;

  // ---------------------------------------------------------------- sensors

  model PotentialSensor "Measures a potential: phi = p.v"
    Pin p;
    Daedal.Blocks.RealOutput phi(unit = "V") "Potential";
  equation
    phi = p.v;
    p.i = 0;
  end PotentialSensor;

  model VoltageSensor "Measures a voltage and takes no current: v = p.v - n.v"
    Pin p "Positive pin";
    Pin n "Negative pin";
    Daedal.Blocks.RealOutput v(unit = "V") "Voltage from p to n";
  equation
    v = p.v - n.v;
    p.i = 0;
    n.i = 0;
  end VoltageSensor;

  model CurrentSensor "Measures a current in series, without a voltage along it"
    Pin p "Positive pin";
    Pin n "Negative pin";
    Daedal.Blocks.RealOutput i(unit = "A") "Current from p to n";
  equation
    p.v = n.v;
    i = p.i;
    p.i + n.i = 0;
  end CurrentSensor;

  model PowerSensor "Measures a power: the current through pc, nc times the voltage from pv to nv"
    Pin pc "Current goes in here";
    Pin nc "Current goes out here";
    Pin pv "Positive pin of the voltage";
    Pin nv "Negative pin of the voltage";
    Daedal.Blocks.RealOutput power(unit = "W") "Power";
  equation
    pc.v = nc.v;
    pc.i + nc.i = 0;
    pv.i = 0;
    nv.i = 0;
    power = pc.i*(pv.v - nv.v);
  end PowerSensor;
end Electrical;
