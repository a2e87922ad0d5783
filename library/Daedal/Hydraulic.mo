within Daedal;
package Hydraulic "Oil under pressure: volumes, lines, valves, pumps, cylinders; pressures are absolute"
  import Modelica.Units.SI;
  import Modelica.Constants.pi;

  connector Port "Place with one pressure, through which oil flows"
    SI.Pressure p(nominal = 1e6) "Absolute pressure";
    flow SI.VolumeFlowRate q(nominal = 1e-4) "Volume flow into the component";
  end Port;

  partial model TwoPorts "Oil flows through without being stored"
    Port port_a "Side from which a positive q comes";
    Port port_b "Side to which a positive q goes";
    SI.VolumeFlowRate q(nominal = 1e-4) "Volume flow from port_a to port_b";
    SI.PressureDifference dp(nominal = 1e6) "p of port_a less p of port_b";
  equation
    dp = port_a.p - port_b.p;
    q = port_a.q;
    port_a.q + port_b.q = 0;
  end TwoPorts;

  function orificeFlow "Flow of a sharp-edged orifice, turbulent and laminar in one smooth law
    q = Cd A sqrt(2/rho) dp/(dp^2 + dp_cr^2)^(1/4), where dp_cr = rho/2 (Re_cr nu/(Cd D))^2.
    For large dp it is Cd A sqrt(2 dp/rho), for small dp the laminar flow 2 Cd^2 D A dp/(Re_cr rho nu):
    H. E. Merritt, Hydraulic Control Systems, Wiley 1967, Sec. 3.4. With Re_cr = 12 pi Cd^2 the latter is that through a
    round hole in a thin plate, D^3 dp/(24 mu): R. A. Sampson, Phil. Trans. R. Soc. A 182 (1891) 449-518."
    input SI.PressureDifference dp "Pressure difference";
    input SI.Area A "Area of the opening";
    input Real Cd "Discharge coefficient";
    input SI.Length D "Hydraulic diameter, 4 area/perimeter";
    input SI.Density rho "Density";
    input SI.KinematicViscosity nu "Kinematic viscosity";
    input Real Re_cr "Reynolds number of transition";
    output SI.VolumeFlowRate q "Volume flow";
  protected
    SI.Pressure dp_cr = rho/2*(Re_cr*nu/(Cd*D))^2;
  algorithm
    q := Cd*A*sqrt(2/rho)*dp/(dp^2 + dp_cr^2)^0.25;
  end orificeFlow;

  function frictionFactor "Darcy's friction factor times Re in a circular pipe, for all Re:
    S. W. Churchill, Friction-factor equation spans all fluid-flow regimes, Chem. Eng. 84 (1977) No. 24, 91-92;
    64 for laminar flow"
    input SI.ReynoldsNumber Re "Reynolds number, v D/nu";
    input Real k = 0 "Relative roughness, height/D";
    output Real fRe "Friction factor times |Re|";
  protected
    Real r = if abs(Re) < 1 then 1 else abs(Re) "below 1 the terms A and B do not count";
    Real A = (2.457*log(1/((7/r)^0.9 + 0.27*k)))^16;
    Real B = (37530/r)^16;
  algorithm
    fRe := 8*(8^12 + r^12/(A + B)^1.5)^(1/12);
  end frictionFactor;

  model Tank "Reservoir of constant pressure"
    parameter SI.Pressure p = 101325 "Pressure";
    Port port;
  equation
    port.p = p;
  end Tank;

  model PrescribedPressure "Source of pressure by a signal"
    Blocks.RealInput p(unit = "Pa") "Pressure";
    Port port;
  equation
    port.p = p;
  end PrescribedPressure;

  model FixedFlow "Source of a constant volume flow out of its port"
    parameter SI.VolumeFlowRate q "Volume flow";
    Port port;
  equation
    port.q = -q;
  end FixedFlow;

  model PrescribedFlow "Source of a volume flow out of its port by a signal"
    Blocks.RealInput q(unit = "m3/s") "Volume flow";
    Port port;
  equation
    port.q = -q;
  end PrescribedFlow;

  model Volume "Oil in a chamber: V/beta der(p) = q; cavitation is not modelled"
    parameter SI.Volume V(min = 0) "Volume";
    parameter SI.BulkModulus beta = 1.4e9 "Bulk modulus, with that of the walls and of dissolved air";
    SI.Pressure p(start = 101325, nominal = 1e6) "Pressure; its start is not fixed";
    Port port;
  equation
    assert(p >= 0, "the absolute pressure is below 0: the oil would cavitate, which is not modelled", AssertionLevel.warning);
    p = port.p;
    V/beta*der(p) = port.q;
  end Volume;

  model LaminarResistance "Laminar flow: q = G dp; a pipe has G = pi D^4/(128 mu L) (Hagen and Poiseuille)"
    extends TwoPorts;
    parameter Real G(unit = "m3/(s.Pa)") "Conductance";
  equation
    q = G*dp;
  end LaminarResistance;

  model Pipe "Circular pipe without storage, laminar to turbulent: dp = f(Re) L/D rho/2 v^2 by Churchill, see frictionFactor"
    extends TwoPorts;
    parameter SI.Length L "Length";
    parameter SI.Diameter D "Inner diameter";
    parameter SI.Length roughness(min = 0) = 0 "Height of the roughness";
    parameter SI.Density rho = 860 "Density";
    parameter SI.KinematicViscosity nu = 40e-6 "Kinematic viscosity";
    SI.ReynoldsNumber Re(nominal = 1000) "Reynolds number, with the sign of q";
  equation
    Re = 4*q/(pi*D*nu);
    dp = frictionFactor(Re, roughness/D)*rho*nu*L/(2*D^2)*q/(pi/4*D^2);
  end Pipe;

  model Line "Laminar line of n cells with storage, friction and inertia:
    V/(n beta) der(p) = change of q; rho L/(n A) der(q) = change of p - 128 mu L/(n pi D^4) q"
    parameter SI.Length L "Length";
    parameter SI.Diameter D "Inner diameter";
    parameter Integer n(min = 1) = 5 "Number of cells";
    parameter SI.Density rho = 860 "Density";
    parameter SI.KinematicViscosity nu = 40e-6 "Kinematic viscosity";
    parameter SI.BulkModulus beta = 1.4e9 "Bulk modulus";
    SI.Pressure p[n](each start = 101325, each nominal = 1e6) "Pressures at the centres of the cells; their start is not fixed";
    SI.VolumeFlowRate q[n + 1](each start = 0, each nominal = 1e-4) "Volume flows at the faces of the cells, towards port_b";
    Port port_a, port_b;
  protected
    parameter SI.Area A = pi/4*D^2;
    parameter Real C(unit = "m3/Pa") = A*L/(n*beta) "Capacity of a cell";
    parameter Real I(unit = "kg/m4") = rho*L/(n*A) "Inertia of a cell";
    parameter Real R(unit = "Pa.s/m3") = 128*nu*rho*L/(n*pi*D^4) "Resistance of a cell";
  equation
    port_a.p - p[1] = I/2*der(q[1]) + R/2*q[1];
    for i in 2:n loop
      p[i - 1] - p[i] = I*der(q[i]) + R*q[i];
    end for;
    p[n] - port_b.p = I/2*der(q[n + 1]) + R/2*q[n + 1];
    for i in 1:n loop
      assert(p[i] >= 0, "the absolute pressure is below 0: the oil would cavitate, which is not modelled", AssertionLevel.warning);
      C*der(p[i]) = q[i] - q[i + 1];
    end for;
    port_a.q = q[1];
    port_b.q = -q[n + 1];
  end Line;

  model FluidInertia "Mass of oil in a line: dp = rho L/A der(q)"
    extends TwoPorts(q(start = 0));
    parameter SI.Length L "Length";
    parameter SI.Area A "Cross section";
    parameter SI.Density rho = 860 "Density";
  equation
    dp = rho*L/A*der(q);
  end FluidInertia;

  model Orifice "Sharp-edged orifice, see orificeFlow"
    extends TwoPorts;
    parameter SI.Area A "Area of the opening";
    parameter Real Cd = 0.61 "Discharge coefficient (Merritt 1967, Sec. 3.4: pi/(pi + 2) for a thin edge)";
    parameter SI.Length D = sqrt(4*A/pi) "Hydraulic diameter; by default that of a circle";
    parameter SI.Density rho = 860 "Density";
    parameter SI.KinematicViscosity nu = 40e-6 "Kinematic viscosity";
    parameter Real Re_cr = 12*pi*Cd^2 "Reynolds number of transition";
  equation
    q = orificeFlow(dp, A, Cd, D, rho, nu, Re_cr);
  end Orifice;

  model VariableOrifice "Orifice whose opening is a signal: area opening A, from 0 to 1"
    extends TwoPorts;
    parameter SI.Area A "Area when it is open";
    parameter SI.Area A_leak(min = 0) = 1e-6*A "Area when it is closed";
    parameter Real Cd = 0.61 "Discharge coefficient";
    parameter SI.Length D = sqrt(4*A/pi) "Hydraulic diameter";
    parameter SI.Density rho = 860 "Density";
    parameter SI.KinematicViscosity nu = 40e-6 "Kinematic viscosity";
    parameter Real Re_cr = 12*pi*Cd^2 "Reynolds number of transition";
    Blocks.RealInput opening(unit = "1") "Opening, limited to 0 to 1";
  equation
    q = orificeFlow(dp, A_leak + (A - A_leak)*max(0, min(1, opening)), Cd, D, rho, nu, Re_cr);
  end VariableOrifice;

  partial model SpringValve "Poppet on a spring, without mass: its area grows in proportion to the pressure above p_crack"
    extends TwoPorts;
    parameter SI.Area A "Area when it is open";
    parameter SI.PressureDifference p_crack "Pressure difference at which it begins to open";
    parameter SI.PressureDifference p_open "Pressure difference at which it is open, more than p_crack";
    parameter SI.Area A_leak(min = 0) = 1e-6*A "Area when it is closed";
    parameter Real Cd = 0.61 "Discharge coefficient";
    parameter SI.Length D = sqrt(4*A/pi) "Hydraulic diameter";
    parameter SI.Density rho = 860 "Density";
    parameter SI.KinematicViscosity nu = 40e-6 "Kinematic viscosity";
    parameter Real Re_cr = 12*pi*Cd^2 "Reynolds number of transition";
    Real opening(min = 0, max = 1) "Opening, 0 to 1";
  equation
    opening = if dp < p_crack then 0 elseif dp > p_open then 1 else (dp - p_crack)/(p_open - p_crack);
    q = orificeFlow(dp, A_leak + (A - A_leak)*opening, Cd, D, rho, nu, Re_cr);
  end SpringValve;

  model CheckValve "Opens from port_a to port_b and is closed the other way, see SpringValve"
    extends SpringValve(p_crack = 2e4, p_open = 1e5);
  end CheckValve;

  model ReliefValve "Opens where the pressure of port_a exceeds that of port_b by p_set, see SpringValve"
    extends SpringValve(final p_crack = p_set, final p_open = p_set + p_range);
    parameter SI.PressureDifference p_set "Pressure difference at which it begins to open";
    parameter SI.PressureDifference p_range = 0.1*p_set "Further pressure difference until it is open";
  end ReliefValve;

  model Accumulator "Gas in a bladder: p V_gas^n = p_pre V^n; below p_pre only V_dead of oil gives way"
    parameter SI.Volume V "Volume of the gas at p_pre";
    parameter SI.Pressure p_pre "Pressure to which it is charged without oil";
    parameter Real n(min = 1) = 1.4 "Polytropic exponent: 1 for slow, 1.4 for fast changes (nitrogen)";
    parameter SI.Volume V_dead = 1e-3*V "Oil in the neck, when the bladder lies on its stop";
    parameter SI.BulkModulus beta = 1.4e9 "Bulk modulus of the oil in the neck";
    SI.Volume V_oil(start = 0, nominal = 0.1*V) "Oil stored; its start is not fixed";
    SI.Pressure p(nominal = 1e6) "Pressure";
    Port port;
  equation
    der(V_oil) = port.q;
    p = if V_oil < 0 then p_pre + beta/V_dead*V_oil else p_pre*(V/(V - V_oil))^n;
    port.p = p;
  end Accumulator;

  partial model Machine "Positive displacement: q = D/(2 pi) w + G dp, and the torque of the shaft D/(2 pi) (-dp) + d w"
    extends TwoPorts;
    parameter SI.Volume D "Displacement of one revolution";
    parameter Real G(unit = "m3/(s.Pa)") = 0 "Conductance of the leakage from port_a to port_b";
    parameter SI.RotationalDampingConstant d = 0 "Viscous friction";
    Rotational.Flange flange "Shaft";
    SI.AngularVelocity w "Angular velocity";
  equation
    w = der(flange.phi);
    q = D/(2*pi)*w + G*dp;
    flange.tau = d*w - D/(2*pi)*dp;
  end Machine;

  model Pump "Pump of fixed displacement from port_a to port_b, see Machine"
    extends Machine;
  end Pump;

  model Motor "Motor of fixed displacement, driven by oil from port_a to port_b, see Machine"
    extends Machine;
  end Motor;

  model Cylinder "Double-acting cylinder: forces p A, compressible chambers, leakage, friction, elastic end stops
    without adhesion (K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440-445)"
    parameter SI.Area A_a "Area of the piston on the side of port_a";
    parameter SI.Area A_b = A_a "Area of the piston on the side of port_b: less by that of the rod";
    parameter SI.Length stroke "Stroke";
    parameter SI.Volume V_a = 0.02*A_a*stroke "Dead volume at port_a";
    parameter SI.Volume V_b = 0.02*A_b*stroke "Dead volume at port_b";
    parameter SI.BulkModulus beta = 1.4e9 "Bulk modulus";
    parameter Real G(unit = "m3/(s.Pa)") = 0 "Conductance of the leakage past the piston";
    parameter SI.TranslationalDampingConstant d = 0 "Viscous friction of the piston";
    parameter SI.TranslationalSpringConstant c_stop = 1e8 "Stiffness of the stops";
    parameter Real d_stop(unit = "s/m") = 10 "Damping of the stops, by their force";
    parameter SI.Pressure p_ambient = 101325 "Pressure around the rod";
    SI.Position x "Position of the piston, from 0 to stroke";
    SI.Velocity v "Velocity of the piston";
    SI.Pressure p_a(start = 101325, nominal = 1e6) "Pressure at port_a; its start is not fixed";
    SI.Pressure p_b(start = 101325, nominal = 1e6) "Pressure at port_b; its start is not fixed";
    SI.Force f "Force that drives the rod out";
    SI.Force f_stop "Part of it that comes from the stops";
    Port port_a "Chamber that drives the rod out";
    Port port_b "Chamber that draws the rod in";
    Translational.Flange flange_a "Housing";
    Translational.Flange flange_b "Rod";
  equation
    x = flange_b.s - flange_a.s;
    v = der(x);
    assert(p_a >= 0 and p_b >= 0, "the absolute pressure is below 0: the oil would cavitate, which is not modelled", AssertionLevel.warning);
    p_a = port_a.p;
    p_b = port_b.p;
    (V_a + A_a*x)/beta*der(p_a) = port_a.q - A_a*v - G*(p_a - p_b);
    (V_b + A_b*(stroke - x))/beta*der(p_b) = port_b.q + A_b*v + G*(p_a - p_b);
    f_stop = if x < 0 then -c_stop*x*(1 - d_stop*v) elseif x > stroke then -c_stop*(x - stroke)*(1 + d_stop*v) else 0;
    f = (p_a - p_ambient)*A_a - (p_b - p_ambient)*A_b - d*v + f_stop;
    flange_b.f = -f;
    flange_a.f = f;
  end Cylinder;

  model ServoValve "Four-way valve: four orifices of area A opening(x), and the dynamics of the spool
    order 2: der(der(x))/w0^2 + 2 D/w0 der(x) + x = u; order 1: der(x)/w0 + x = u; order 0: x = u"
    parameter SI.Area A "Area of an orifice when x is 1";
    parameter Integer order(min = 0, max = 2) = 2 "Order of the dynamics of the spool";
    parameter SI.AngularFrequency w0 = 600 "Natural frequency (order 2) or bandwidth (order 1)";
    parameter Real D = 0.8 "Damping (order 2)";
    parameter Real rounding = 0.005 "Rounded edges: the openings at x = 0 are half of it (Merritt 1967, Sec. 5.3, on practical spools)";
    parameter Real Cd = 0.61 "Discharge coefficient";
    parameter SI.Length D_h = sqrt(4*A/pi) "Hydraulic diameter";
    parameter SI.Density rho = 860 "Density";
    parameter SI.KinematicViscosity nu = 40e-6 "Kinematic viscosity";
    parameter Real Re_cr = 12*pi*Cd^2 "Reynolds number of transition";
    Blocks.RealInput u(unit = "1") "Command, limited to -1 to 1";
    Real x(start = 0, fixed = order > 0) "Position of the spool; positive: from port_p to port_a and from port_b to port_t";
    Real v(unit = "1/s", start = 0, fixed = order == 2, nominal = w0) "Its velocity";
    Port port_p "Supply";
    Port port_t "Tank";
    Port port_a "First port of the consumer";
    Port port_b "Second port of the consumer";
  protected
    Real u_limited = max(-1, min(1, u));
    Real forward = (x + sqrt(x^2 + rounding^2))/2, back = (-x + sqrt(x^2 + rounding^2))/2;
    SI.VolumeFlowRate q_pa = orificeFlow(port_p.p - port_a.p, A*forward, Cd, D_h, rho, nu, Re_cr);
    SI.VolumeFlowRate q_pb = orificeFlow(port_p.p - port_b.p, A*back, Cd, D_h, rho, nu, Re_cr);
    SI.VolumeFlowRate q_at = orificeFlow(port_a.p - port_t.p, A*back, Cd, D_h, rho, nu, Re_cr);
    SI.VolumeFlowRate q_bt = orificeFlow(port_b.p - port_t.p, A*forward, Cd, D_h, rho, nu, Re_cr);
  equation
    if order == 2 then
      v = der(x);
      der(v)/w0^2 + 2*D/w0*v + x = u_limited;
    elseif order == 1 then
      v = der(x);
      v/w0 + x = u_limited;
    else
      x = u_limited;
      v = 0;
    end if;
    port_p.q = q_pa + q_pb;
    port_t.q = -q_at - q_bt;
    port_a.q = q_at - q_pa;
    port_b.q = q_bt - q_pb;
  end ServoValve;

  model PressureSensor "Measures the pressure of its port without a flow"
    Port port;
    Blocks.RealOutput p(unit = "Pa") "Pressure";
  equation
    p = port.p;
    port.q = 0;
  end PressureSensor;

  model RelPressureSensor "Measures the difference of two pressures without a flow"
    Port port_a, port_b;
    Blocks.RealOutput p_rel(unit = "Pa") "p of port_a less p of port_b";
  equation
    p_rel = port_a.p - port_b.p;
    port_a.q = 0;
    port_b.q = 0;
  end RelPressureSensor;

  model FlowSensor "Measures the volume flow from port_a to port_b, without a resistance"
    Port port_a, port_b;
    Blocks.RealOutput q(unit = "m3/s") "Volume flow from port_a to port_b";
  equation
    port_a.p = port_b.p;
    port_a.q + port_b.q = 0;
    q = port_a.q;
  end FlowSensor;
end Hydraulic;
