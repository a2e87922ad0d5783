model AirSpring "air spring with an auxiliary volume after an orifice, shaken from below"
  parameter Real m = 400, A = 0.012, pa = 1e5, V10 = 1.5e-3, V2 = 2e-3, k = 5e-6 "kg/s/sqrt(Pa)", RT = 84000,
    g = 9.81, n = 1.35;
  Real z(nominal = 0.01, start = 0, fixed = true), v(nominal = 0.1, start = 0, fixed = true),
    p1(start = 4.27e5, fixed = true), p2(start = 4.27e5, fixed = true);
  Real w, V1, q, a;
equation
  z = 0.02*sin(2*3.141592653589793*1.2*time) + w;
  V1 = V10 + A*w;
  q = k*(p1 - p2)/((p1 - p2)^2 + 1e6)^0.25 "into the auxiliary volume";
  V1*der(p1) = n*(-RT*q - p1*der(V1));
  V2*der(p2) = n*RT*q;
  der(z) = v;
  m*a = A*(p1 - pa) - m*g;
  der(v) = a;
  annotation(experiment(StopTime = 5));
end AirSpring;
