model SourceJumps "capacitor across a source that jumps within 10 ns, a diode and a filter after it: index 2"
  parameter Real C1 = 2.2e-9, C2 = 4.7e-6, R = 15, R2 = 1e3, Is = 1e-12, Vt = 0.03;
  Real vs = 6*tanh((time - 0.1e-3)/1e-8) - 9*tanh((time - 0.4e-3)/1e-8) + 4*tanh((time - 0.7e-3)/1e-8);
  Real n1, is, ic, id, vd, vo(start = 0, fixed = true);
equation
  n1 = vs;
  is = ic + id;
  ic = C1*der(n1);
  n1 = R*id + vd + vo;
  id = Is*(exp(vd/Vt) - 1);
  C2*der(vo) = id - vo/R2;
  annotation(experiment(StopTime = 1e-3));
end SourceJumps;
