model Thermostats "rooms in a row, each with its own thermostat"
  parameter Integer n = 100;
  Real T[n](start = {18 + 0.5*sin(i) for i in 1:n}, each fixed = true);
  Boolean on[n](each start = false, each fixed = true);
equation
  for i in 1:n loop
    on[i] = T[i] < 19.5 or pre(on[i]) and T[i] < 20.5;
    600*der(T[i]) = (if on[i] then 15 + i/n else 0) - 0.5*(T[i] - 5)
      + 0.3*((if i > 1 then T[max(1,i-1)] else T[1]) - 2*T[i] + (if i < n then T[min(n,i+1)] else T[n]));
  end for;
  annotation(experiment(StopTime = 500));
end Thermostats;
