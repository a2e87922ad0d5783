model Slab "steel slab that cools by radiation and convection; the surface has no capacity"
  parameter Real k = 30 "W/(m.K)", rc = 3.6e6 "J/(m3.K)", d = 0.01 "m", s = 5.67e-8, e = 0.8, h = 15, Ta = 293;
  Real T[10](each start = 1473, each fixed = true), Ts(start = 500) "surface", q;
equation
  rc*d*der(T[1]) = k*(T[2] - T[1])/d;
  for j in 2:9 loop
    rc*d*der(T[j]) = k*(T[j - 1] - 2*T[j] + T[j + 1])/d;
  end for;
  rc*d*der(T[10]) = k*(T[9] - T[10])/d - q;
  q = k*(T[10] - Ts)/(d/2);
  q = e*s*(Ts^4 - Ta^4) + h*(Ts - Ta);
  annotation(experiment(StopTime = 3600));
end Slab;
