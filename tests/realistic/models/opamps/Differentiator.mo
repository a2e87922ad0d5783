model Differentiator "ideal differentiator after a follower: a capacitor between two given voltages, index 2"
  constant Real pi = 3.141592653589793;
  parameter Real R = 100e3, C = 10e-9, R2 = 10e3, C2 = 47e-9;
  Real u, vm, i, vo, vc, w(start = 0);
initial equation
  w = 0;
equation
  u = 2*sin(2*pi*50*time) + 0.3*cos(2*pi*750*time);
  vc = u - vm;
  vm = 0 "virtual ground";
  i = C*der(vc);
  vo = vm - R*i;
  C2*der(w) = (vo - w)/R2;
  annotation(experiment(StopTime = 0.02));
end Differentiator;
