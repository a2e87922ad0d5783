model Gyrator "Antoniou's inductor of two ideal op-amps in a resonant circuit"
  parameter Real R1 = 1e3, R2 = 1e3, R3 = 2.2e3, R5 = 4.7e3, C4 = 10e-9, C = 22e-9, Rs = 33e3;
  Real v1, v2, v3, v4, v5, i1, u4(start = 0, fixed = true), v(start = 0, fixed = true);
  Real source = 5*sin(2*3.141592653589793*4000*time);
equation
  v = v1;
  (source - v)/Rs = C*der(v) + i1;
  i1 = (v1 - v2)/R1;
  v1 = v3 "first amplifier";
  v3 = v5 "second amplifier";
  (v2 - v3)/R2 = (v3 - v4)/R3;
  u4 = v4 - v5;
  C4*der(u4) = v5/R5;
  annotation(experiment(StopTime = 2e-3));
end Gyrator;
