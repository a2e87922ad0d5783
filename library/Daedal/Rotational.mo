within Daedal;
package Rotational "Shafts that turn about one axis"
  import Modelica.Units.SI;

  // ---------------------------------------------------------------- connectors and what components have in common

  connector Flange "Flange of a shaft"
    SI.Angle phi "Absolute angle of the flange";
    flow SI.Torque tau "Cut torque into the component";
  end Flange;

  partial model PartialTwoFlanges "Component with two flanges"
    Flange flange_a "Left flange";
    Flange flange_b "Right flange";
  end PartialTwoFlanges;

  partial model PartialCompliant "Component without inertia between two flanges"
    extends PartialTwoFlanges;
    SI.Angle phi_rel "Relative angle, flange_b.phi - flange_a.phi";
    SI.Torque tau "Torque, flange_b.tau";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_b.tau = tau;
    flange_a.tau = -tau;
  end PartialCompliant;

  partial model PartialCompliantWithRelativeStates "Component without inertia that knows its relative speed"
    extends PartialCompliant;
    SI.AngularVelocity w_rel "Relative speed, der(phi_rel)";
  equation
    w_rel = der(phi_rel);
  end PartialCompliantWithRelativeStates;

  partial model PartialSource "Source at one flange, whose reaction the ground takes"
    Flange flange "Flange";
  end PartialSource;

  partial model PartialFriction
    "Friction that sticks or slips (the Coulomb model with viscous part and breakaway): slipping, tau = mode*tau_c + d*w; sticking, w = 0 while abs(tau) <= peak*tau_c (B. Armstrong-Helouvry, Control of Machines with Friction, 1991, Chap. 2)"
    parameter Real peak(min = 1) = 1 "Largest torque that sticks by the one that slips";
    SI.AngularVelocity w "Speed of the slip";
    SI.Torque tau "Torque against the slip";
    SI.Torque tau_c "Torque that slips, without its viscous part";
    SI.RotationalDampingConstant viscous "Viscous part";
    SI.AngularAcceleration a "Acceleration of the slip";
    SI.Torque excess "What breaks away beyond peak*tau_c: tau where it sticks; where it slips, beyond it as a is";
    SI.Torque breaks "What breaks it away: peak*tau_c; as it comes to rest an impulse alone, which friction has not";
    Integer mode "1: slips forward, 0: sticks, -1: slips backward";
  protected
    constant SI.AngularVelocity w_small = 1e-9 "Least slip that a blow begins or turns round";
    constant SI.Torque unit_tau = 1 "Keeps what exceeds any excess smooth where that is 0";
    constant SI.Inertia unit_J = 1 "Makes an acceleration a torque";
    constant SI.RotationalDampingConstant unit_d = 1 "Makes a speed a torque";
  initial equation
    pre(mode) = if noEvent(w > 0) then 1 elseif noEvent(w < 0) then -1 else 0;
  equation
    a = der(w);
    0 = if mode == 0 then unit_d*w else tau - mode*tau_c - viscous*w;
    excess = if mode == 0 then tau else mode*peak*tau_c + unit_J*a;
    mode = if pre(mode) <> 0 and not pre(mode)*w < 0 then pre(mode)
      elseif (1 - pre(mode))*w > w_small then 1 elseif (1 + pre(mode))*w < -w_small then -1
      elseif excess > breaks then 1 elseif excess < -breaks then -1 else 0;
    breaks = if pre(mode) == 0 then peak*tau_c else sqrt(unit_tau^2 + 4*excess^2);
  end PartialFriction;

  // ---------------------------------------------------------------- inertias, springs, gears

  model Fixed "Flange that is fixed at an angle: flange.phi = phi0"
    parameter SI.Angle phi0 = 0 "Angle";
    Flange flange "Flange";
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia "Inertia: J*der(w) = flange_a.tau + flange_b.tau, w = der(phi). The start values of phi and w are guesses; phi(fixed = true) makes one a condition"
    extends PartialTwoFlanges;
    parameter SI.Inertia J(min = 0, start = 1) "Moment of inertia";
    SI.Angle phi(start = 0) "Angle";
    SI.AngularVelocity w(start = 0) "Speed";
    SI.AngularAcceleration a "Acceleration";
  equation
    phi = flange_a.phi;
    phi = flange_b.phi;
    w = der(phi);
    a = der(w);
    J*a = flange_a.tau + flange_b.tau;
  end Inertia;

  model Spring "Spring: tau = c*(phi_rel - phi_rel0)"
    extends PartialCompliant;
    parameter SI.RotationalSpringConstant c(min = 0, start = 1.0e5) "Stiffness";
    parameter SI.Angle phi_rel0 = 0 "Relative angle without a torque";
  equation
    tau = c*(phi_rel - phi_rel0);
  end Spring;

  model Damper "Damper: tau = d*w_rel"
    extends PartialCompliantWithRelativeStates;
    parameter SI.RotationalDampingConstant d(min = 0, start = 0) "Damping";
  equation
    tau = d*w_rel;
  end Damper;

  model SpringDamper "Spring and damper side by side: tau = c*(phi_rel - phi_rel0) + d*w_rel"
    extends PartialCompliantWithRelativeStates;
    parameter SI.RotationalSpringConstant c(min = 0, start = 1.0e5) "Stiffness";
    parameter SI.RotationalDampingConstant d(min = 0, start = 0) "Damping";
    parameter SI.Angle phi_rel0 = 0 "Relative angle without a torque of the spring";
  equation
    tau = c*(phi_rel - phi_rel0) + d*w_rel;
  end SpringDamper;

  model ElastoBacklash
    "Backlash with elastic, damped flanks: no torque within abs(phi_rel - phi_rel0) <= b/2; beyond it spring and damper, which push and do not pull"
    extends PartialCompliantWithRelativeStates;
    parameter SI.RotationalSpringConstant c(min = 0, start = 1.0e5) "Stiffness of the flanks";
    parameter SI.RotationalDampingConstant d(min = 0, start = 0) "Damping of the flanks";
    parameter SI.Angle b(min = 0) = 0 "Backlash";
    parameter SI.Angle phi_rel0 = 0 "Middle of the backlash";
    SI.Torque tau_right "Torque of the flank beyond phi_rel0 + b/2, if it were in contact";
    SI.Torque tau_left "Torque of the flank beyond phi_rel0 - b/2, if it were in contact";
  equation
    tau_right = c*(phi_rel - phi_rel0 - b/2) + d*w_rel;
    tau_left = c*(phi_rel - phi_rel0 + b/2) + d*w_rel;
    tau = if phi_rel > phi_rel0 + b/2 then (if tau_right > 0 then tau_right else 0)
      elseif phi_rel < phi_rel0 - b/2 then (if tau_left < 0 then tau_left else 0) else 0;
  end ElastoBacklash;

  model IdealGear "Gear without inertia, losses and housing: flange_a.phi = ratio*flange_b.phi, ratio*flange_a.tau + flange_b.tau = 0"
    extends PartialTwoFlanges;
    parameter Real ratio(start = 1) "Speed of flange_a by that of flange_b";
  equation
    flange_a.phi = ratio*flange_b.phi;
    0 = ratio*flange_a.tau + flange_b.tau;
  end IdealGear;

  model IdealPlanetary "Planetary gear without inertia and losses: (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi (R. J. Willis, Principles of Mechanism, 1841)"
    parameter Real ratio(start = 100/50) "Teeth of the ring by those of the sun";
    Flange sun "Sun";
    Flange carrier "Carrier of the planets";
    Flange ring "Ring";
  equation
    (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
    ring.tau = ratio*sun.tau;
    carrier.tau = -(1 + ratio)*sun.tau;
  end IdealPlanetary;

  model LossyGear "Gear with a constant efficiency and bearing friction left out: the side that drives loses the part 1 - eta of its power"
    extends PartialTwoFlanges;
    parameter Real ratio(start = 1) "Speed of flange_a by that of flange_b";
    parameter Real eta(min = 0, max = 1) = 1 "Efficiency; above 0";
    SI.Power power "Power into flange_a";
    SI.AngularVelocity w_a "Speed of flange_a";
  equation
    flange_a.phi = ratio*flange_b.phi;
    w_a = der(flange_a.phi);
    power = flange_a.tau*w_a;
    0 = (if power > 0 then eta else 1/eta)*ratio*flange_a.tau + flange_b.tau;
  end LossyGear;

  // ---------------------------------------------------------------- friction

  model BearingFriction "Bearing friction: slipping, tau_c*sign(w) + d*w; sticking up to peak*tau_c (B. Armstrong-Helouvry 1991)"
    extends PartialTwoFlanges;
    extends PartialFriction(tau_c = tau_slip, viscous = d);
    parameter SI.Torque tau_slip(min = 0, start = 1) "Coulomb torque";
    parameter SI.RotationalDampingConstant d(min = 0) = 0 "Viscous friction";
    SI.Angle phi "Angle of the shaft";
  equation
    phi = flange_a.phi;
    phi = flange_b.phi;
    w = der(phi);
    flange_a.tau + flange_b.tau = tau;
  end BearingFriction;

  model Brake "Bearing with a brake that the signal u presses: slipping, u*tau_max*sign(w); sticking up to peak*u*tau_max"
    extends PartialTwoFlanges;
    extends PartialFriction(viscous = 0);
    parameter SI.Torque tau_max(min = 0, start = 1) "Torque at u = 1";
    Daedal.Blocks.RealInput u "How far it is pressed, 0 to 1; below 0 it is open";
    SI.Angle phi "Angle of the shaft";
  equation
    phi = flange_a.phi;
    phi = flange_b.phi;
    w = der(phi);
    tau_c = if u > 0 then u*tau_max else 0;
    flange_a.tau + flange_b.tau = tau;
  end Brake;

  model Clutch "Clutch that the signal u presses: slipping, u*tau_max*sign(w); sticking up to peak*u*tau_max; w is the speed of flange_a against flange_b"
    extends PartialTwoFlanges;
    extends PartialFriction(viscous = 0);
    parameter SI.Torque tau_max(min = 0, start = 1) "Torque at u = 1";
    Daedal.Blocks.RealInput u "How far it is pressed, 0 to 1; below 0 it is open";
    SI.Angle phi_rel "Angle of flange_a against flange_b";
  equation
    phi_rel = flange_a.phi - flange_b.phi;
    w = der(phi_rel);
    tau_c = if u > 0 then u*tau_max else 0;
    flange_a.tau = tau;
    flange_b.tau = -tau;
  end Clutch;

  model OneWayClutch "Freewheel: flange_a takes flange_b along and may be overtaken by it; w_rel = 0 and tau >= 0, or w_rel > 0 and tau = 0"
    extends PartialTwoFlanges;
    SI.Angle phi_rel "Angle of flange_b against flange_a";
    SI.AngularVelocity w_rel "Speed of flange_b against flange_a";
    SI.Torque tau "Torque from flange_a to flange_b";
    Boolean free "flange_b overtakes";
    Real s "w_rel in rad/s where it is free, -tau in N.m where it is locked";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    w_rel = der(phi_rel);
    free = s > 0;
    w_rel = if free then s else 0;
    tau = if free then 0 else -s;
    flange_a.tau = tau;
    flange_b.tau = -tau;
  end OneWayClutch;

  // ---------------------------------------------------------------- sources

  model Torque "Torque by a signal: flange.tau = -tau, which accelerates in the direction of positive angles"
    extends PartialSource;
    Daedal.Blocks.RealInput tau(unit = "N.m") "Torque";
  equation
    flange.tau = -tau;
  end Torque;

  model ConstantTorque "Constant torque: flange.tau = -tau_constant"
    extends PartialSource;
    parameter SI.Torque tau_constant(start = 1) "Torque";
  equation
    flange.tau = -tau_constant;
  end ConstantTorque;

  model TorqueStep "Torque that steps from offsetTorque to offsetTorque + stepTorque at startTime"
    extends PartialSource;
    parameter SI.Torque stepTorque(start = 1) "Height of the step";
    parameter SI.Torque offsetTorque = 0 "Before the step";
    parameter SI.Time startTime = 0 "Of the step";
  equation
    flange.tau = -offsetTorque - (if time < startTime then 0 else stepTorque);
  end TorqueStep;

  model LinearSpeedDependentTorque "Load that grows with the speed: tau = tau_nominal*w/w_nominal, as of a generator with a resistor"
    extends PartialSource;
    parameter SI.Torque tau_nominal(start = -1) "Torque at w_nominal; negative acts as a load";
    parameter SI.AngularVelocity w_nominal(min = 0, start = 1) "Nominal speed; above 0";
    SI.AngularVelocity w "Speed";
  equation
    w = der(flange.phi);
    flange.tau = -tau_nominal*w/w_nominal;
  end LinearSpeedDependentTorque;

  model QuadraticSpeedDependentTorque "Load that grows with the square of the speed: tau = tau_nominal*(w/w_nominal)*abs(w/w_nominal), as of a fan"
    extends PartialSource;
    parameter SI.Torque tau_nominal(start = -1) "Torque at w_nominal; negative acts as a load";
    parameter SI.AngularVelocity w_nominal(min = 0, start = 1) "Nominal speed; above 0";
    SI.AngularVelocity w "Speed";
  equation
    w = der(flange.phi);
    flange.tau = -tau_nominal*w/w_nominal*abs(w/w_nominal);
  end QuadraticSpeedDependentTorque;

  model Position "Angle by a signal, exactly: flange.phi = phi_ref; w and a are its derivatives"
    extends PartialSource;
    Daedal.Blocks.RealInput phi_ref(unit = "rad") "Angle";
    SI.Angle phi "Angle of the flange";
  equation
    phi = flange.phi;
    phi = phi_ref;
  end Position;

  model Speed "Speed by a signal, exactly: der(flange.phi) = w_ref. The start value of phi is a guess"
    extends PartialSource;
    Daedal.Blocks.RealInput w_ref(unit = "rad/s") "Speed";
    SI.Angle phi "Angle of the flange";
  equation
    phi = flange.phi;
    der(phi) = w_ref;
  end Speed;

  model ConstantSpeed "Constant speed: der(flange.phi) = w_fixed. The start value of phi is a guess"
    extends PartialSource;
    parameter SI.AngularVelocity w_fixed(start = 0) "Speed";
    SI.Angle phi "Angle of the flange";
  equation
    phi = flange.phi;
    der(phi) = w_fixed;
  end ConstantSpeed;

  // ---------------------------------------------------------------- sensors

  model AngleSensor "Measures an angle: phi = flange.phi"
    Flange flange "Flange";
    Daedal.Blocks.RealOutput phi(unit = "rad") "Angle";
  equation
    phi = flange.phi;
    flange.tau = 0;
  end AngleSensor;

  model SpeedSensor "Measures a speed: w = der(flange.phi)"
    Flange flange "Flange";
    Daedal.Blocks.RealOutput w(unit = "rad/s") "Speed";
  equation
    w = der(flange.phi);
    flange.tau = 0;
  end SpeedSensor;

  model AccSensor "Measures an acceleration: a = der(der(flange.phi))"
    Flange flange "Flange";
    SI.AngularVelocity w "Speed";
    Daedal.Blocks.RealOutput a(unit = "rad/s2") "Acceleration";
  equation
    w = der(flange.phi);
    a = der(w);
    flange.tau = 0;
  end AccSensor;

  model RelAngleSensor "Measures a relative angle: phi_rel = flange_b.phi - flange_a.phi"
    extends PartialTwoFlanges;
    Daedal.Blocks.RealOutput phi_rel(unit = "rad") "Relative angle";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_a.tau = 0;
    flange_b.tau = 0;
  end RelAngleSensor;

  model RelSpeedSensor "Measures a relative speed: w_rel = der(flange_b.phi - flange_a.phi)"
    extends PartialTwoFlanges;
    SI.Angle phi_rel "Relative angle";
    Daedal.Blocks.RealOutput w_rel(unit = "rad/s") "Relative speed";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    w_rel = der(phi_rel);
    flange_a.tau = 0;
    flange_b.tau = 0;
  end RelSpeedSensor;

  model TorqueSensor "Measures the torque between two flanges that are joined: tau = flange_a.tau"
    extends PartialTwoFlanges;
    Daedal.Blocks.RealOutput tau(unit = "N.m") "Torque";
  equation
    flange_a.phi = flange_b.phi;
    flange_a.tau + flange_b.tau = 0;
    tau = flange_a.tau;
  end TorqueSensor;

  model PowerSensor "Measures the power between two flanges that are joined: power = flange_a.tau*der(flange_a.phi)"
    extends PartialTwoFlanges;
    Daedal.Blocks.RealOutput power(unit = "W") "Power";
  equation
    flange_a.phi = flange_b.phi;
    flange_a.tau + flange_b.tau = 0;
    power = flange_a.tau*der(flange_a.phi);
  end PowerSensor;
end Rotational;
