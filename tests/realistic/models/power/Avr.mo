model Avr "generator at an infinite bus with voltage regulator; the reference is stepped smoothly, per unit"
  parameter Real xd = 1.8, xds = 0.3, xq = 1.7, xe = 0.45, Td = 8, H = 3.5, KA = 200, TA = 0.02, w0 = 314.159265;
  Real d(start = 0.9, fixed = true), w(nominal = 0.01, start = 0, fixed = true), Eq(start = 1, fixed = true),
    Ef(start = 2, fixed = true);
  Real id, iq, vd, vq, V(start = 1), P;
equation
  vd = xq*iq;
  vq = Eq - xds*id;
  vd = sin(d) - xe*iq;
  vd^2 + vq^2 = V^2;
  P = vd*id + vq*iq;
  vq = cos(d) + xe*id;
  der(d) = w0*w;
  2*H*der(w) = 0.8 - P - 8*w;
  Td*der(Eq) = Ef - Eq - (xd - xds)*id;
  TA*der(Ef) = KA*(1.02 + 0.01*tanh((time - 2)/0.05) - V) + 2 - Ef;
  annotation(experiment(StopTime = 6));
end Avr;
