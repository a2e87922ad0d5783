// with ../examples/library/power_supply.mo
model PowerSupplyByHand "the example against its equations, written by hand"
  PowerSupply supply;
  Real i1(start = 0, fixed = true), i2(start = 0, fixed = true) "out of the winding into node a";
  Real vs(start = 0, fixed = true), vo(start = 0, fixed = true) "smoothing and output capacitors";
  Real va, vb "potentials of the bridge", u2, s[4], vd[4], id[4], op, it, il;
  Boolean off[4];
equation
  325*sin(100*Modelica.Constants.pi*time) - 40*i1 = 4*der(i1) - 0.25*der(i2);
  u2 = 0.25*der(i1) - 0.016*der(i2);
  va - vb = u2 - 0.3*i2;
  // diodes from a to +, from - to a, from b to +, from - to b
  vd = {va - vs, -va, vb - vs, -vb};
  for k in 1:4 loop
    off[k] = s[k] < 0;
    vd[k] = 0.7 + (if off[k] then s[k] else 0.02*s[k]);
    id[k] = 0.7e-6 + (if off[k] then 1e-6*s[k] else s[k]);
  end for;
  i2 = id[1] - id[2];
  -i2 = id[3] - id[4];
  4.7e-3*der(vs) = id[1] + id[3] - it;
  op = max(0, min(12, 1e4*(2.5 - vo/2)));
  it = 2*(op - vo);
  il = vo/10 + vo/2e4 + (if time < 0.125 then vo/(10 + 1e5) else vo/(10 + 1e-5));
  1e-4*der(vo) = it - il;
public
  Real error_potentials[3] = {(supply.smoothing.v - vs)/17, (supply.output_capacitor.v - vo)/5, (supply.amplifier.v_out - op)/12};
  Real error_currents[2] = {(supply.transformer.i1 - i1)/0.3, (supply.transformer.i2 + i2)/5};
  annotation(experiment(StopTime = 0.2));
end PowerSupplyByHand;
