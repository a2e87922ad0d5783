model Freewheel "relay coil with ideal freewheel diode, ideal switch opens at 1 ms"
  parameter Real V=24, R=100, L=0.1;
  Real i(start=0, fixed=true), is, id, u, s(start=-1);
  Boolean closed = time < 3e-3, dOff(start=true);
equation
  u = R*i + L*der(i);
  i = is + id;
  if closed then u = V; else is = 0; end if;
  dOff = s < 0;
  -u = if dOff then s else 0;
  id = if dOff then 0 else s;
  annotation(experiment(StopTime=8e-3));
end Freewheel;
