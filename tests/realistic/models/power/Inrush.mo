model Inrush "transformer switched on with remanence: magnetising current by a power of 11"
  parameter Real R = 0.4 "Ohm", Rfe = 2000, psin = 1.1 "V.s", i0 = 0.25 "A";
  Real u = 325*sin(100*3.141592653589793*time), psi(start = 0.45, fixed = true), im, ife, i;
equation
  u = R*i + der(psi);
  i = im + ife;
  im = i0*(psi/psin + 8*(psi/psin)^11);
  Rfe*ife = der(psi);
  annotation(experiment(StopTime = 0.1));
end Inrush;
