model StackedDiodes "two diodes in series, each with its leak, feed a capacitor"
  parameter Real Is = 1e-12, VT = 0.03, C = 1e-4, R = 1e3, G = 1e-8;
  Real u(start = 0.5, fixed = true), i(nominal = 1e-3), v1, v2;
equation
  i = (8*sin(300*time) - v1)/10;
  i = Is*(exp((v1 - v2)/VT) - 1) + G*(v1 - v2);
  i = Is*(exp((v2 - u)/VT) - 1) + G*(v2 - u);
  C*der(u) = i - u/R;
  annotation(experiment(StopTime = 0.08));
end StackedDiodes;
