model DcMotor "separately excited motor: voltage applied within 1 ms, friction of Coulomb, a fan"
  parameter Real R = 0.35, L = 1.2e-3, k = 0.62, J = 0.018, Mc = 0.9, b = 2e-3, kf = 9e-5;
  Real u = 110*(1 + tanh((time - 0.05)/1e-3)), e, i(start = 0, fixed = true), w(start = 0, fixed = true);
  Real M, P = u*i;
equation
  u = R*i + L*der(i) + e;
  e = k*w;
  M = k*i;
  J*der(w) = M - Mc*tanh(w/0.5) - b*w - kf*w^2;
  annotation(experiment(StopTime = 0.6));
end DcMotor;
