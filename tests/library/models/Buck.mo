model Buck "a converter that lowers a voltage, against its closed form: the diode takes over what the switch interrupts"
  import Daedal.Electrical.*;
  Ground g;
  ConstantVoltage u(V = 5);
  IdealClosingSwitch s(Ron = 0, Goff = 0);
  IdealDiode d(Ron = 0, Goff = 0);
  Inductor l(L = 1, i(fixed = true));
  Resistor r(R = 1);
  Real first = 5*(1 - exp(-1));
  Real on = time - 0.5 "the switch is closed from 0.5 s to 1.5 s, and from 2.5 s to 3.5 s";
  Real error_buck = l.i - (if on < 0 then 0 elseif on < 1 then 5*(1 - exp(-on)) elseif on < 2 then first*exp(1 - on)
    elseif on < 3 then 5 + (first*exp(-1) - 5)*exp(2 - on) else (5 + (first*exp(-1) - 5)*exp(-1))*exp(3 - on));
equation
  connect(u.n, g.p);
  connect(u.p, s.p);
  connect(s.n, l.p);
  connect(d.n, l.p);
  connect(d.p, g.p);
  connect(l.n, r.p);
  connect(r.n, g.p);
  s.control = on > 0 and on < 1 or on > 2 and on < 3;
  annotation(experiment(StopTime = 4));
end Buck;
