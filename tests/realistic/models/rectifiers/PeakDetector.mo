model PeakDetector "envelope of an amplitude-modulated signal of 455 kHz"
  parameter Real Rs = 100, R = 22e3, C = 1e-9, Is = 1e-7, Vt = 0.028;
  Real u, v(start = 0, fixed = true), i, vd;
equation
  u = 2*(1 + 0.6*sin(2*3.141592653589793*5e3*time))*cos(2*3.141592653589793*455e3*time);
  u - v - vd = Rs*i;
  i = Is*(exp(vd/Vt) - 1);
  C*der(v) + v/R = i;
  annotation(experiment(StopTime = 50e-6));
end PeakDetector;
