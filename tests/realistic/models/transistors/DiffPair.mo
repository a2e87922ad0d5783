model DiffPair "emitter-coupled pair with a tail resistor, driven into limiting"
  constant Real pi = 3.141592653589793;
  parameter Real Is = 1e-15, b = 150, Vt = 0.02585, Rc = 5e3, Rt = 9.3e3, C = 10e-12, Rs = 1e3;
  Real vs = 0.2*sin(2*pi*1e6*time), b1, b2, e, i1, i2;
  Real c1(start = 10, fixed = true), c2(start = 10, fixed = true), vd = c1 - c2;
equation
  b1 = vs - Rs*i1/b;
  b2 = -Rs*i2/b;
  i1 = Is*(exp((b1 - e)/Vt) - exp((b1 - c1)/Vt));
  i2 = Is*(exp((b2 - e)/Vt) - exp((b2 - c2)/Vt));
  (i1 + i2)*(1 + 1/b) = (e + 10)/Rt;
  C*der(c1) = (10 - c1)/Rc - i1;
  C*der(c2) = (10 - c2)/Rc - i2;
  annotation(experiment(StopTime = 3e-6));
end DiffPair;
