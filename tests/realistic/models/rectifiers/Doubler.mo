model Doubler "Greinacher's voltage doubler at 50 Hz"
  parameter Real R = 5, RL = 10e3, C1 = 100e-6, C2 = 100e-6, Is = 1e-9, Vt = 0.05;
  Real u, x, y(start = 0, fixed = true), w(start = 0, fixed = true), i, i1, i2;
equation
  u = 24*sin(2*3.141592653589793*50*time);
  u - w - R*i = x "w: voltage of the first capacitor";
  C1*der(w) = i;
  i + i1 = i2;
  i1 = Is*(exp(-x/Vt) - 1) "from ground to x";
  i2 = Is*(exp((x - y)/Vt) - 1) "from x to the output";
  C2*der(y) = i2 - y/RL;
  annotation(experiment(StopTime = 0.1));
end Doubler;
