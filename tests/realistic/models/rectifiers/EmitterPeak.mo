model EmitterPeak "emitter follower as peak detector: transistor and diode in a row"
  parameter Real Is = 1e-14, VT = 0.026, G = 1e-8, bf = 100;
  Real u(start = 0, fixed = true), vb, ve, ie, ib;
equation
  ib = (5*sin(500*time) - vb)/1e4;
  ib = Is/bf*(exp((vb - ve)/VT) - 1) + G*(vb - ve);
  ie = Is*(1 + 1/bf)*(exp((vb - ve)/VT) - 1) + G*(vb - ve);
  ie = 1e-12*(exp((ve - u)/0.03) - 1) + G*(ve - u);
  1e-6*der(u) = ie - u/1e5;
  annotation(experiment(StopTime = 0.05));
end EmitterPeak;
