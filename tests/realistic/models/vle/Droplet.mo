model Droplet "water droplet that evaporates in hot air; its temperature is the wet-bulb one, SI units"
  parameter Real Ta = 400, D = 3.5e-5, rho = 1000, rg = 0.9, k = 0.031, M = 0.018, cp = 1010;
  Real r2(start = 2.5e-9, fixed = true, nominal = 1e-9) "radius squared, m2", Ts(start = 300), ps, Y, B, L, r;
  Real m(nominal = 1e-9) "kg/s";
equation
  ps = 610.94*exp(17.625*(Ts - 273.15)/(Ts - 30.11));
  Y*(M*ps + 0.029*(101325 - ps)) = M*ps;
  L = 2.5e6 - 2370*(Ts - 273.15);
  B*(1 - Y) = Y - 0.005;
  m = 4*3.141592653589793*r*rg*D*log(1 + B);
  cp*(Ta - Ts) = L*((1 + B)^(rg*D*cp/k) - 1);
  r = sqrt(r2);
  der(r2) = -2*rg*D/rho*log(1 + B);
  annotation(experiment(StopTime = 0.6));
end Droplet;
