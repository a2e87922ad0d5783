model CommonEmitter "amplifier stage with coupling capacitors; the supply comes up in milliseconds"
  constant Real pi = 3.141592653589793;
  parameter Real R1 = 47e3, R2 = 10e3, Rc = 2.2e3, Re = 470, Rs = 600, RL = 10e3;
  parameter Real C1 = 1e-6, C2 = 1e-6, Ce = 20e-6, Is = 1e-14, bf = 200, br = 4, Vt = 0.02585;
  Real Vcc = 12*(1 - exp(-time/1e-3)), vin = 0.02*sin(2*pi*1000*time);
  Real vb, vc, ve, vo, ib, ic, ie;
  Real u1(start = 0, fixed = true), u2(start = 0, fixed = true), u3(start = 0, fixed = true);
equation
  u1 = vin - Rs*C1*der(u1) - vb;
  C1*der(u1) = (vb - Vcc)/R1 + vb/R2 + ib;
  ib = Is/bf*(exp((vb - ve)/Vt) - 1) + Is/br*(exp((vb - vc)/Vt) - 1);
  ic = Is*(exp((vb - ve)/Vt) - exp((vb - vc)/Vt)) - Is/br*(exp((vb - vc)/Vt) - 1);
  ie = ib + ic;
  u3 = ve;
  ie = ve/Re + Ce*der(u3);
  (Vcc - vc)/Rc = ic + C2*der(u2);
  u2 = vc - vo;
  C2*der(u2) = vo/RL;
  annotation(experiment(StopTime = 0.01));
end CommonEmitter;
