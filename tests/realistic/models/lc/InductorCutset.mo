model InductorCutset "three bond wires that meet in a node: nH, mA, ns, mV; index 2"
  parameter Real L1 = 1.1, L2 = 2.3, L3 = 0.7, R1 = 12, R2 = 50, R3 = 4, C = 900 "pF";
  Real i1, i2(start = 0), i3(start = 0), v, u = 500*(1 + tanh((time - 2)/0.05)), vc(start = 0, fixed = true);
initial equation
  i2 = 0;
  i3 = 0;
equation
  u = R1*i1 + L1*der(i1) + v;
  v = L2*der(i2) + R2*i2;
  v = L3*der(i3) + R3*i3 + vc;
  i1 = i2 + i3;
  C*1e-3*der(vc) = i3;
  annotation(experiment(StopTime = 20));
end InductorCutset;
