model Clutch "an engine takes a vehicle along: the clutch slips, sticks, and slips again as the load grows"
  parameter Real J1 = 0.2, J2 = 2, T0 = 60 "largest torque of the clutch";
  Real w1(start = 150, fixed = true), w2(start = 0, fixed = true) "speeds of engine and vehicle";
  Real w "slip", T "torque of the clutch", load;
  Integer mode(start = 1, fixed = true) "1: slips forward, 0: sticks, -1: slips backward";
equation
  load = if time < 4 then 20 else 300;
  w = w1 - w2;
  J1*der(w1) = 60 - 0.2*w1 - T;
  J2*der(w2) = T - load;
  0 = if mode == 0 then w else T - mode*T0; // what sticks has w = 0 itself, not der(w) = 0
  when pre(mode) <> 0 and pre(mode)*w < 0 then
    mode = 0;
  elsewhen pre(mode) == 0 and T > T0 then
    mode = 1;
  elsewhen pre(mode) == 0 and T < -T0 then
    mode = -1;
  end when;
  annotation(experiment(StopTime = 5));
end Clutch;
