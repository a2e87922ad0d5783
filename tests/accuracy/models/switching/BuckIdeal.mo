model BuckIdeal "ideal switch and ideal diode (parametric): continuous mode then light load"
  parameter Real E=24, L=1e-4, C=1e-4, f=2e4, D=0.5;
  Real i(start=0, fixed=true), v(start=0, fixed=true), ux, s(start=-1), id, iq;
  Boolean q, off(start=true);
  Real R;
equation
  q = mod(f*time, 1) < D;
  R = if time < 2e-3 then 5 else 200;
  off = s < 0;
  ux = if off then -s else 0;
  id = if off then 0 else s;
  if q then ux = E; else iq = 0; end if;
  i = iq + id;
  L*der(i) = ux - v;
  C*der(v) = i - v/R;
  annotation(experiment(StopTime=4e-3));
end BuckIdeal;
