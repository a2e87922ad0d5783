// with ../examples/library/motor_drive.mo
model MotorDriveByHand "the example against its equations, written by hand"
  MotorDrive drive;
  // speeds of the rotor and the load, twist of the shaft at the load, current, integral of the controller
  Real i(start = 0, fixed = true), wm(start = 0, fixed = true), wl, twist(start = 0, fixed = true), I(start = 0, fixed = true);
  Real ref, v, y, tau_s, tau_f, a;
  Integer mode(start = 0, fixed = true);
equation
  ref = if time < 0.5 then 0 elseif time < 1 then 40*(time - 0.5) elseif time < 3 then 20 elseif time < 3.5 then 20 - 60*(time - 3) else -10;
  v = 1.5*(ref - wl + I);
  y = max(-24, min(24, v));
  der(I) = (ref - wl)/0.2 + (y - v)/(1.5*0.9*0.2);
  2e-3*der(i) = y - 0.4*i - 0.05*wm;
  1e-4*der(wm) = 0.05*i - tau_s/8;
  der(twist) = wm/8 - wl;
  tau_s = 60*twist + 0.5*(wm/8 - wl);
  0.02*der(wl) = tau_s - tau_f + (if time < 2 then 0 else -2);
  0 = if mode == 0 then wl else tau_f - 0.4*mode - 0.01*wl;
  a = if mode == 0 then tau_f else 0.5*mode + der(wl);
  mode = if pre(mode) <> 0 and pre(mode)*wl >= 0 then pre(mode) elseif pre(mode) <> 0 then 0 elseif a > 0.5 then 1 elseif a < -0.5 then -1 else 0;
public
  Real error_speeds[2] = {(drive.load.w - wl)/20, (drive.motor.w - wm)/160};
  Real error_current = (drive.motor.i - i)/5;
  Real error_control = (drive.controller.y - y)/24;
  Real error_friction = drive.bearing.mode - mode;
  annotation(experiment(StopTime = 5));
end MotorDriveByHand;
