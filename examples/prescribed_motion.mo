model PrescribedMotion "which force on the first of three masses moves the last one along a given path? index 7, no freedom"
  parameter Real m(unit = "kg") = 0.5, k(unit = "N/m") = 20 "stiffness", b(unit = "N/m3") = 5 "hardening of the springs";
  Real q[3](each unit = "m"), v[3](each unit = "m/s");
  Real s[2](each unit = "N") "forces in the springs";
  Real F(unit = "N") "force that is sought";
equation
  der(q) = v;
  s = {k*(q[2] - q[1]) + b*(q[2] - q[1])^3, k*(q[3] - q[2]) + b*(q[3] - q[2])^3};
  m*der(v[1]) = F + s[1];
  m*der(v[2]) = s[2] - s[1];
  m*der(v[3]) = -s[2];
  q[3] = sin(time);
  annotation(experiment(StopTime = 6));
end PrescribedMotion;
