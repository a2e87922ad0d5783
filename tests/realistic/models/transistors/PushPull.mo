model PushPull "complementary followers without bias into a loudspeaker: crossover distortion"
  constant Real pi = 3.141592653589793;
  parameter Real Is = 1e-12, b = 60, Vt = 0.026, RL = 7, L = 0.6e-3, Rb = 100, Cz = 100e-9, Rz = 10;
  Real vi = 10*sin(2*pi*1000*time), vb, vo, ip, in1, iL(nominal = 0.1, start = 0, fixed = true),
    vz(start = 0, fixed = true);
equation
  (vi - vb)/Rb = (ip - in1)/b;
  ip = Is*(exp((vb - vo)/Vt) - 1);
  in1 = Is*(exp((vo - vb)/Vt) - 1);
  ip - in1 = iL + (vo - vz)/Rz;
  Cz*der(vz) = (vo - vz)/Rz;
  L*der(iL) = vo - RL*iL;
  annotation(experiment(StopTime = 2e-3));
end PushPull;
