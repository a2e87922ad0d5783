model Darlington "two emitter followers that drive 100 nF; the input jumps within 10 ns"
  parameter Real Is = 1e-14, bf = 100, Vt = 0.026, R = 1e3, RL = 100, C = 100e-9, Rg = 1e4;
  Real vg = 3 + 2*tanh((time - 2e-6)/1e-8) - 4*tanh((time - 20e-6)/1e-8), vb, vm, vo(start = 0, fixed = true);
  Real i1, i2;
equation
  (vg - vb)/Rg = i1/(bf + 1);
  i1 = Is*(bf + 1)/bf*(exp((vb - vm)/Vt) - 1);
  i1 = vm/R + i2/(bf + 1);
  i2 = Is*(bf + 1)/bf*(exp((vm - vo)/Vt) - 1);
  C*der(vo) = i2 - vo/RL;
  annotation(experiment(StopTime = 40e-6));
end Darlington;
