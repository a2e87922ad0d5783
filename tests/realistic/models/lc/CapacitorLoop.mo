model CapacitorLoop "driver on coupled wires: ns, fF, uA, V; capacitors in a loop with the source, index 2"
  parameter Real C1 = 3.2 "fF", C2 = 7.5, Cg = 12, Cl = 1.4, R = 4e-3 "V/uA", R3 = 9e-3;
  Real vs = 0.6*(tanh((time - 0.1)/0.002) - tanh((time - 0.6)/0.002)), a, b, c(start = 0, fixed = true), is, i1;
equation
  b = vs;
  is = Cg*der(b) + i1;
  i1 = C1*der(b - a);
  i1 = C2*der(a) + a/R + (a - c)/R3;
  Cl*der(c) = (a - c)/R3;
initial equation
  a = 0;
  annotation(experiment(StopTime = 1));
end CapacitorLoop;
