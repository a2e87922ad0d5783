model FloatingCapacitor "a source in a loop of capacitors, and a capacitor between two nodes without any other"
  parameter Real C = 1, C2 = 0.5, C3 = 0.7, R2 = 1, R23 = 2, R3 = 3, R4 = 1;
  Real v1, v2(start = 0.2, fixed = true), v3, v4, i;
  Real w(start = 0.5, fixed = true);
equation
  C*(der(v1) - der(v2)) + i = 0;
  C*(der(v2) - der(v1)) + C2*der(v2) + v2/R2 + (v2 - v3)/R23 = 0;
  v1 = sin(2*time);
  (v3 - v2)/R23 + v3/R3 + C3*(der(v3) - der(v4)) = 0;
  v4/R4 + C3*(der(v4) - der(v3)) = 0;
  w = v3 - v4;
  annotation(experiment(StopTime = 5));
end FloatingCapacitor;
