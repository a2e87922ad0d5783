model Colpitts "Colpitts oscillator at 10 MHz that starts when the supply comes up"
  parameter Real L = 1e-6, C1 = 470e-12, C2 = 470e-12, Re = 1e3, Rl = 8, Is = 1e-14, b = 100, Vt = 0.02585;
  Real Vcc = 6*(1 - exp(-time/2e-7)), Vb = Vcc/3, iL(nominal = 0.01, start = 0, fixed = true);
  Real ve(start = 0, fixed = true), u1(start = 0, fixed = true), vc, If, Ir;
equation
  vc = ve + u1;
  L*der(iL) = Vcc - vc - Rl*iL;
  If = Is*(exp((Vb - ve)/Vt) - 1);
  Ir = Is*(exp((Vb - vc)/Vt) - 1);
  C1*der(u1) = iL - (If - Ir);
  C2*der(ve) = iL - (If - Ir) + If*(1 + 1/b) - Ir - ve/Re;
  annotation(experiment(StopTime = 3e-6));
end Colpitts;
