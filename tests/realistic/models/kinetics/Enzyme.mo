model Enzyme "Michaelis and Menten's mechanism in SI units: mol/m3 and s"
  parameter Real kf = 1e5 "m3/(mol.s)", kr = 20 "1/s", kcat = 80;
  Real S(start = 5, fixed = true), E(nominal = 1e-5), C(start = 0, fixed = true, nominal = 1e-5),
    P(start = 0, fixed = true), v(nominal = 1e-3);
equation
  E + C = 2e-5;
  der(S) = -kf*E*S + kr*C;
  der(C) = kf*E*S - kr*C - v;
  der(P) = v;
  v = kcat*C;
  annotation(experiment(StopTime = 5000));
end Enzyme;
