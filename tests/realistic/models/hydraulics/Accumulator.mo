model Accumulator "gas-charged accumulator that a pulsating pump fills through a check valve"
  parameter Real p0 = 90e5, V0 = 1e-3, n = 1.4, kc = 1.5e-8, kl = 3e-12;
  Real V(start = 1e-3, fixed = true, nominal = 1e-3) "gas, m3", p(start = 90e5) "Pa";
  Real q "pump, m3/s", pp(start = 90e5, fixed = true, nominal = 1e5) "before the valve", qc, dp;
equation
  p*V^n = p0*V0^n;
  q = 1e-4*(1 + cos(2*3.141592653589793*25*time));
  dp = pp - p;
  qc = kc*sqrt((dp + sqrt(dp^2 + 1e8))/2) "opens smoothly";
  2e-5/1.2e9*der(pp) = q - qc;
  der(V) = kl*p - qc;
  annotation(experiment(StopTime = 1));
end Accumulator;
