model Thermistor "self-heating NTC resistor behind a series resistor: it switches from cold to hot"
  parameter Real B = 3977, R25 = 10e3, Rs = 500, G = 2e-3 "W/K", C = 0.02 "J/K", Ta = 298.15;
  Real T(start = 298.15, fixed = true), R, i, v, P, U = 30*(1 - exp(-time/0.5));
equation
  R = R25*exp(B*(1/T - 1/298.15));
  U = Rs*i + v;
  v = R*i;
  P = v*i;
  C*der(T) = P - G*(T - Ta);
  annotation(experiment(StopTime = 60));
end Thermistor;
