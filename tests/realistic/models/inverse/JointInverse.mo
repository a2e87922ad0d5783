model JointInverse "robot arm after an elastic gear that hardens: the motor's torque for a given motion, index 5"
  parameter Real J = 3.2, Jm = 0.012, N = 80, k = 9000, k3 = 4e6, d = 12, m = 6, l = 0.45, g = 9.81;
  Real q, w, qm, wm, M, tau, e;
equation
  der(q) = w;
  der(qm) = wm;
  e = qm/N - q;
  M = k*e + k3*e^3;
  J*der(w) + d*w + m*g*l*sin(q) = M;
  Jm*der(wm) = tau - M/N;
  q = 1.2*sin(1.5*time);
  annotation(experiment(StopTime = 5));
end JointInverse;
