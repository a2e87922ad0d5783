model IdealTransformer "two coils without leakage: L1 L2 = M^2, so that the currents are not both states"
  constant Real pi = 3.141592653589793;
  parameter Real L1 = 4e-3, L2 = 1e-3, M = 2e-3, Rs = 1.5, RL = 8, C = 33e-6;
  Real u = 24*sin(2*pi*400*time), v1, v2, i1(start = 0, fixed = true), i2, vc(start = 0, fixed = true);
equation
  u = Rs*i1 + v1;
  v1 = L1*der(i1) + M*der(i2);
  v2 = M*der(i1) + L2*der(i2);
  v2 = -RL*i2 + vc;
  C*der(vc) = -i2 - vc/100;
  annotation(experiment(StopTime = 0.01));
end IdealTransformer;
