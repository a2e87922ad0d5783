model RectifierFreewheel "half wave rectifier with freewheel diode, RL load, both diodes ideal"
  Real u, um, i(start=0, fixed=true), s1, s2, i1, i2;
  Boolean off1(start=false), off2(start=true);
equation
  u = 325*sin(314*time);
  off1 = s1 < 0; off2 = s2 < 0;
  u - um = if off1 then s1 else 0;
  i1 = if off1 then 0 else s1;
  -um = if off2 then s2 else 0;
  i2 = if off2 then 0 else s2;
  i = i1 + i2;
  um = 10*i + 0.05*der(i);
  annotation(experiment(StopTime=0.05));
end RectifierFreewheel;
