model Rectifier "a bridge of four diodes with a smoothing capacitor: the diodes switch each other"
  // a diode has one unknown s: the voltage along it where it blocks, the current where it conducts
  parameter Real U(unit = "V") = 24, f(unit = "Hz") = 50;
  parameter Real Rs(unit = "Ohm") = 0.5 "source", R(unit = "Ohm") = 50 "load", C(unit = "F") = 1e-3;
  parameter Real G(unit = "S") = 1e-5 "conductance of a diode that blocks";
  constant Real pi = 3.14159265358979323846;
  Real u(unit = "V") "source, from node b to node a", i(unit = "A") "its current";
  Real v(start = 0, fixed = true, unit = "V") "capacitor, from node n to node p";
  Real va(unit = "V"), vb(unit = "V"), vn(unit = "V") "potentials; node p has 0";
  Real s1, s2, s3, s4;
  Real i1(unit = "A"), i2(unit = "A"), i3(unit = "A"), i4(unit = "A") "currents of the diodes";
  Boolean off1 = s1 < 0, off2 = s2 < 0, off3 = s3 < 0, off4 = s4 < 0;
equation
  u = U*sin(2*pi*f*time);
  va - vb = u - Rs*i;
  // a to p, b to p, n to a, n to b
  va = if off1 then s1 else 0;
  vb = if off2 then s2 else 0;
  vn - va = if off3 then s3 else 0;
  vn - vb = if off4 then s4 else 0;
  i1 = if off1 then G*s1 else s1;
  i2 = if off2 then G*s2 else s2;
  i3 = if off3 then G*s3 else s3;
  i4 = if off4 then G*s4 else s4;
  i + i3 = i1;
  i4 = i + i2;
  vn = -v;
  C*der(v) = i1 + i2 - v/R;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
end Rectifier;
