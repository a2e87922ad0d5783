model Inverter "saturating switch with charge storage: input pulse of 2 us with edges of 5 ns"
  parameter Real Rb = 4.7e3, Rc = 1e3, CL = 20e-12, Cje = 5e-12, Cjc = 2e-12, tf = 0.4e-9, tr = 40e-9;
  parameter Real Is = 1e-15, bf = 120, br = 3, Vt = 0.02585, Vcc = 5;
  Real vin, vb(start = 0, fixed = true), vc(start = 5, fixed = true);
  Real Ef, Er, qe(nominal = 1e-12), qc(nominal = 1e-12), ib, ic;
equation
  vin = 2.5*(tanh((time - 0.2e-6)/5e-9) - tanh((time - 2.2e-6)/5e-9));
  Ef = Is*(exp(vb/Vt) - 1);
  Er = Is*(exp((vb - vc)/Vt) - 1);
  qe = tf*Ef + Cje*vb;
  qc = tr*Er + Cjc*(vb - vc);
  ib = Ef/bf + Er/br;
  ic = Ef - Er - Er/br;
  (vin - vb)/Rb = ib + der(qe) + der(qc);
  (Vcc - vc)/Rc + der(qc) = ic + CL*der(vc);
  annotation(experiment(StopTime = 4e-6));
end Inverter;
