within Daedal;
package Translational "Bodies that slide along one axis"
  import Modelica.Units.SI;

  // ---------------------------------------------------------------- connectors and what components have in common

  connector Flange "Flange of a sliding body"
    SI.Position s "Absolute position of the flange";
    flow SI.Force f "Cut force into the component";
  end Flange;

  partial model PartialTwoFlanges "Component with two flanges"
    Flange flange_a "Left flange";
    Flange flange_b "Right flange";
  end PartialTwoFlanges;

  partial model PartialRigid "Rigid body of the length L, in the middle of which s is"
    extends PartialTwoFlanges;
    parameter SI.Length L = 0 "Length, flange_b.s - flange_a.s";
    SI.Position s(start = 0) "Position of the middle";
  equation
    flange_a.s = s - L/2;
    flange_b.s = s + L/2;
  end PartialRigid;

  partial model PartialCompliant "Component without mass between two flanges"
    extends PartialTwoFlanges;
    SI.Distance s_rel(min = -Modelica.Constants.inf) "Relative position, flange_b.s - flange_a.s";
    SI.Force f "Force, flange_b.f; positive pulls";
  equation
    s_rel = flange_b.s - flange_a.s;
    flange_b.f = f;
    flange_a.f = -f;
  end PartialCompliant;

  partial model PartialCompliantWithRelativeStates "Component without mass that knows its relative speed"
    extends PartialCompliant;
    SI.Velocity v_rel "Relative speed, der(s_rel)";
  equation
    v_rel = der(s_rel);
  end PartialCompliantWithRelativeStates;

  partial model PartialSource "Source at one flange, whose reaction the ground takes"
    Flange flange "Flange";
  end PartialSource;

  partial model PartialFriction
    "Friction that sticks or slips (the Coulomb model with viscous part and breakaway): slipping, f = mode*f_c + d*v; sticking, v = 0 while abs(f) <= peak*f_c (B. Armstrong-Helouvry, Control of Machines with Friction, 1991, Chap. 2)"
    parameter Real peak(min = 1) = 1 "Largest force that sticks by the one that slips";
    SI.Velocity v "Speed of the slip";
    SI.Force f "Force against the slip";
    SI.Force f_c "Force that slips, without its viscous part";
    SI.TranslationalDampingConstant viscous "Viscous part";
    SI.Acceleration a "Acceleration of the slip";
    SI.Force excess "What breaks away beyond peak*f_c: f where it sticks; where it slips, beyond it as a is";
    SI.Force breaks "What breaks it away: peak*f_c; as it comes to rest an impulse alone, which friction has not";
    Integer mode "1: slips forward, 0: sticks, -1: slips backward";
  protected
    constant SI.Velocity v_small = 1e-9 "Least slip that a blow begins or turns round";
    constant SI.Force unit_f = 1 "Keeps what exceeds any excess smooth where that is 0";
    constant SI.Mass unit_m = 1 "Makes an acceleration a force";
    constant SI.TranslationalDampingConstant unit_d = 1 "Makes a speed a force";
  initial equation
    pre(mode) = if noEvent(v > 0) then 1 elseif noEvent(v < 0) then -1 else 0;
  equation
    a = der(v);
    0 = if mode == 0 then unit_d*v else f - mode*f_c - viscous*v;
    excess = if mode == 0 then f else mode*peak*f_c + unit_m*a;
    mode = if pre(mode) <> 0 and not pre(mode)*v < 0 then pre(mode)
      elseif (1 - pre(mode))*v > v_small then 1 elseif (1 + pre(mode))*v < -v_small then -1
      elseif excess > breaks then 1 elseif excess < -breaks then -1 else 0;
    breaks = if pre(mode) == 0 then peak*f_c else sqrt(unit_f^2 + 4*excess^2);
  end PartialFriction;

  // ---------------------------------------------------------------- masses, springs, transmissions

  model Fixed "Flange that is fixed at a position: flange.s = s0"
    parameter SI.Position s0 = 0 "Position";
    Flange flange "Flange";
  equation
    flange.s = s0;
  end Fixed;

  model Rod "Rod without mass: flange_b.s - flange_a.s = L"
    extends PartialRigid;
  equation
    flange_a.f + flange_b.f = 0;
  end Rod;

  model Mass "Mass: m*der(v) = flange_a.f + flange_b.f, v = der(s). The start values of s and v are guesses; s(fixed = true) makes one a condition"
    extends PartialRigid;
    parameter SI.Mass m(min = 0, start = 1) "Mass";
    SI.Velocity v(start = 0) "Speed";
    SI.Acceleration a "Acceleration";
  equation
    v = der(s);
    a = der(v);
    m*a = flange_a.f + flange_b.f;
  end Mass;

  model Spring "Spring: f = c*(s_rel - s_rel0)"
    extends PartialCompliant;
    parameter SI.TranslationalSpringConstant c(min = 0, start = 1) "Stiffness";
    parameter SI.Distance s_rel0 = 0 "Length without a force";
  equation
    f = c*(s_rel - s_rel0);
  end Spring;

  model Damper "Damper: f = d*v_rel"
    extends PartialCompliantWithRelativeStates;
    parameter SI.TranslationalDampingConstant d(min = 0, start = 0) "Damping";
  equation
    f = d*v_rel;
  end Damper;

  model SpringDamper "Spring and damper side by side: f = c*(s_rel - s_rel0) + d*v_rel"
    extends PartialCompliantWithRelativeStates;
    parameter SI.TranslationalSpringConstant c(min = 0, start = 1) "Stiffness";
    parameter SI.TranslationalDampingConstant d(min = 0, start = 1) "Damping";
    parameter SI.Distance s_rel0 = 0 "Length without a force of the spring";
  equation
    f = c*(s_rel - s_rel0) + d*v_rel;
  end SpringDamper;

  model ElastoGap "Elastic, damped stop: no force where s_rel >= s_rel0; below, spring and damper, which push and do not pull"
    extends PartialCompliantWithRelativeStates;
    parameter SI.TranslationalSpringConstant c(min = 0, start = 1) "Stiffness";
    parameter SI.TranslationalDampingConstant d(min = 0, start = 1) "Damping";
    parameter SI.Position s_rel0 = 0 "Relative position at which it touches";
    SI.Force f_contact "Force of the contact, if it were closed";
    Boolean contact "It touches";
  equation
    contact = s_rel < s_rel0;
    f_contact = c*(s_rel - s_rel0) + d*v_rel;
    f = if contact then (if f_contact < 0 then f_contact else 0) else 0;
  end ElastoGap;

  model RigidGap "Rigid stop without rebound: s_rel = s_rel0 where it is closed and pushes, f = 0 where it is open; it closes by an impulse"
    extends PartialCompliant;
    parameter SI.Position s_rel0 = 0 "Relative position at which it touches";
    Boolean contact(start = false, fixed = true) "It is closed";
    Real x "s_rel - s_rel0 where it is open, f where it is closed";
  equation
    s_rel = s_rel0 + (if contact then 0 else x);
    f = if contact then x else 0;
    contact = if pre(contact) then x <= 0 else x < 0;
  end RigidGap;

  model RigidStop
    "Rigid stops of a body at s_min and s_max, which throw it back with the restitution e; a body that would be slower than v_small after an impact rests (Newton's law of impact; C. Glocker, Set-Valued Force Laws, 2001, Chap. 8)"
    parameter SI.Position s_min "Lower stop";
    parameter SI.Position s_max "Upper stop";
    parameter Real e(min = 0, max = 1) = 0 "Speed after an impact by that before; 0 does not throw back";
    parameter SI.Velocity v_small(min = 0) = 1e-3 "Least speed after an impact; above 0";
    Flange flange "Flange of the body";
    SI.Position s "Position of the flange";
    SI.Velocity v "Speed of the flange";
    SI.Acceleration a "Acceleration of the flange";
    SI.Force f "Force of the stop on the body";
    Integer contact(start = 0, fixed = true) "-1: rests at s_min, 1: rests at s_max, 0: is free";
    Real x "s where it is free, in m; f where it rests, in N";
    SI.Position to_min "Way to the lower stop where it is free; none is struck where it rests, which rounding would tell";
    SI.Position to_max "The same for the upper stop";
  equation
    s = flange.s;
    v = der(s);
    a = der(v);
    flange.f = -f;
    to_min = if pre(contact) == 0 then s - s_min else s_max - s_min;
    to_max = if pre(contact) == 0 then s_max - s else s_max - s_min;
    s = if contact == 0 then x elseif contact < 0 then s_min else s_max;
    f = if contact == 0 then 0 else x;
    when {to_min < 0, to_max < 0, pre(contact)*f > 0} then
      contact = if pre(contact) <> 0 or e*abs(pre(v)) > v_small then 0 elseif s < (s_min + s_max)/2 then -1 else 1;
      reinit(v, if pre(contact) <> 0 or e*abs(pre(v)) <= v_small then 0 else -e*pre(v));
    end when;
  end RigidStop;

  model Friction "Friction of a guide: slipping, f_slip*sign(v) + d*v; sticking up to peak*f_slip (B. Armstrong-Helouvry 1991)"
    extends PartialRigid;
    extends PartialFriction(f_c = f_slip, viscous = d);
    parameter SI.Force f_slip(min = 0, start = 1) "Coulomb force";
    parameter SI.TranslationalDampingConstant d(min = 0) = 0 "Viscous friction";
  equation
    v = der(s);
    flange_a.f + flange_b.f = f;
  end Friction;

  model Brake "Guide with a brake that the signal u presses: slipping, u*f_max*sign(v); sticking up to peak*u*f_max"
    extends PartialRigid;
    extends PartialFriction(viscous = 0);
    parameter SI.Force f_max(min = 0, start = 1) "Force at u = 1";
    Daedal.Blocks.RealInput u "How far it is pressed, 0 to 1; below 0 it is open";
  equation
    v = der(s);
    f_c = if u > 0 then u*f_max else 0;
    flange_a.f + flange_b.f = f;
  end Brake;

  model IdealRackAndPinion "Wheel that rolls on a rack: flange_r.phi*r = flange_t.s, flange_r.tau + r*flange_t.f = 0"
    parameter SI.Radius r(start = 1) "Radius of the wheel";
    Daedal.Rotational.Flange flange_r "Shaft of the wheel";
    Flange flange_t "Rack";
  equation
    r*flange_r.phi = flange_t.s;
    flange_r.tau + r*flange_t.f = 0;
  end IdealRackAndPinion;

  model IdealLever "Lever about a fixed point: flange_a.s = ratio*flange_b.s, ratio*flange_a.f + flange_b.f = 0; ratio is negative where the arms point in opposite directions"
    extends PartialTwoFlanges;
    parameter Real ratio(start = 1) "Arm of flange_a by that of flange_b";
  equation
    flange_a.s = ratio*flange_b.s;
    ratio*flange_a.f + flange_b.f = 0;
  end IdealLever;

  // ---------------------------------------------------------------- sources

  model Force "Force by a signal: flange.f = -f, which accelerates in the direction of positive positions"
    extends PartialSource;
    Daedal.Blocks.RealInput f(unit = "N") "Force";
  equation
    flange.f = -f;
  end Force;

  model ConstantForce "Constant force: flange.f = -f_constant"
    extends PartialSource;
    parameter SI.Force f_constant(start = 1) "Force";
  equation
    flange.f = -f_constant;
  end ConstantForce;

  model ForceStep "Force that steps from offsetForce to offsetForce + stepForce at startTime"
    extends PartialSource;
    parameter SI.Force stepForce(start = 1) "Height of the step";
    parameter SI.Force offsetForce = 0 "Before the step";
    parameter SI.Time startTime = 0 "Of the step";
  equation
    flange.f = -offsetForce - (if time < startTime then 0 else stepForce);
  end ForceStep;

  model LinearSpeedDependentForce "Force that grows with the speed: f = f_nominal*v/v_nominal"
    extends PartialSource;
    parameter SI.Force f_nominal(start = -1) "Force at v_nominal; negative acts as a load";
    parameter SI.Velocity v_nominal(min = 0, start = 1) "Nominal speed; above 0";
    SI.Velocity v "Speed";
  equation
    v = der(flange.s);
    flange.f = -f_nominal*v/v_nominal;
  end LinearSpeedDependentForce;

  model QuadraticSpeedDependentForce "Force that grows with the square of the speed: f = f_nominal*(v/v_nominal)*abs(v/v_nominal), as of the air"
    extends PartialSource;
    parameter SI.Force f_nominal(start = -1) "Force at v_nominal; negative acts as a load";
    parameter SI.Velocity v_nominal(min = 0, start = 1) "Nominal speed; above 0";
    SI.Velocity v "Speed";
  equation
    v = der(flange.s);
    flange.f = -f_nominal*v/v_nominal*abs(v/v_nominal);
  end QuadraticSpeedDependentForce;

  model Position "Position by a signal, exactly: flange.s = s_ref"
    extends PartialSource;
    Daedal.Blocks.RealInput s_ref(unit = "m") "Position";
    SI.Position s "Position of the flange";
  equation
    s = flange.s;
    s = s_ref;
  end Position;

  model Speed "Speed by a signal, exactly: der(flange.s) = v_ref. The start value of s is a guess"
    extends PartialSource;
    Daedal.Blocks.RealInput v_ref(unit = "m/s") "Speed";
    SI.Position s "Position of the flange";
  equation
    s = flange.s;
    der(s) = v_ref;
  end Speed;

  model ConstantSpeed "Constant speed: der(flange.s) = v_fixed. The start value of s is a guess"
    extends PartialSource;
    parameter SI.Velocity v_fixed(start = 0) "Speed";
    SI.Position s "Position of the flange";
  equation
    s = flange.s;
    der(s) = v_fixed;
  end ConstantSpeed;

  // ---------------------------------------------------------------- sensors

  model PositionSensor "Measures a position: s = flange.s"
    Flange flange "Flange";
    Daedal.Blocks.RealOutput s(unit = "m") "Position";
  equation
    s = flange.s;
    flange.f = 0;
  end PositionSensor;

  model SpeedSensor "Measures a speed: v = der(flange.s)"
    Flange flange "Flange";
    Daedal.Blocks.RealOutput v(unit = "m/s") "Speed";
  equation
    v = der(flange.s);
    flange.f = 0;
  end SpeedSensor;

  model AccSensor "Measures an acceleration: a = der(der(flange.s))"
    Flange flange "Flange";
    SI.Velocity v "Speed";
    Daedal.Blocks.RealOutput a(unit = "m/s2") "Acceleration";
  equation
    v = der(flange.s);
    a = der(v);
    flange.f = 0;
  end AccSensor;

  model RelPositionSensor "Measures a relative position: s_rel = flange_b.s - flange_a.s"
    extends PartialTwoFlanges;
    Daedal.Blocks.RealOutput s_rel(unit = "m") "Relative position";
  equation
    s_rel = flange_b.s - flange_a.s;
    flange_a.f = 0;
    flange_b.f = 0;
  end RelPositionSensor;

  model RelSpeedSensor "Measures a relative speed: v_rel = der(flange_b.s - flange_a.s)"
    extends PartialTwoFlanges;
    SI.Position s_rel "Relative position";
    Daedal.Blocks.RealOutput v_rel(unit = "m/s") "Relative speed";
  equation
    s_rel = flange_b.s - flange_a.s;
    v_rel = der(s_rel);
    flange_a.f = 0;
    flange_b.f = 0;
  end RelSpeedSensor;

  model ForceSensor "Measures the force between two flanges that are joined: f = flange_a.f"
    extends PartialTwoFlanges;
    Daedal.Blocks.RealOutput f(unit = "N") "Force";
  equation
    flange_a.s = flange_b.s;
    flange_a.f + flange_b.f = 0;
    f = flange_a.f;
  end ForceSensor;

  model PowerSensor "Measures the power between two flanges that are joined: power = flange_a.f*der(flange_a.s)"
    extends PartialTwoFlanges;
    Daedal.Blocks.RealOutput power(unit = "W") "Power";
  equation
    flange_a.s = flange_b.s;
    flange_a.f + flange_b.f = 0;
    power = flange_a.f*der(flange_a.s);
  end PowerSensor;
end Translational;
