model StackedDoubler "voltage doubler, each rectifier of two diodes"
  parameter Real Is = 1e-10, VT = 0.05, C = 1e-5, G = 1e-8;
  Real uc(start = 0, fixed = true), uo(start = 0, fixed = true), m1, m2, b, i, i1, i2;
equation
  b = 10*sin(314*time) + uc - 5*i;
  C*der(uc) = -i;
  i = i2 - i1;
  i1 = Is*(exp((0 - m1)/VT) - 1) + G*(0 - m1);
  i1 = Is*(exp((m1 - b)/VT) - 1) + G*(m1 - b);
  i2 = Is*(exp((b - m2)/VT) - 1) + G*(b - m2);
  i2 = Is*(exp((m2 - uo)/VT) - 1) + G*(m2 - uo);
  C*der(uo) = i2 - uo/1e4;
  annotation(experiment(StopTime = 0.1));
end StackedDoubler;
