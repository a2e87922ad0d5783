model Wien "Wien bridge oscillator: real op-amp of 1 MHz, limited output, diodes hold the amplitude"
  parameter Real R = 15.9e3, C = 10e-9, Rg = 10e3, Rf = 18.5e3, Rd = 3e3, Is = 2.5e-9, Vt = 0.047, wt = 6.283e6;
  Real x(start = 0, fixed = true), y(start = 0.5, fixed = true), s(start = 0, fixed = true), vo, vn, vd, id;
equation
  C*der(x) = (vo - x - y)/R "series capacitor";
  C*der(y) = (vo - x - y)/R - y/R;
  vn/Rg = (vo - vn - vd)/Rf;
  vn/Rg = id + vd/Rd;
  id = 2*Is*sinh(vd/Vt);
  der(s) = wt*(y - vn) - 62.83*s;
  vo = 12*tanh(s/12);
  annotation(experiment(StopTime = 5e-3));
end Wien;
