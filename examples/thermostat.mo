model Thermostat "a room with a two-point controller: on below 19 degC, off above 21 degC"
  parameter Real outside = 5, loss = 0.1, heater = 3;
  Real T(start = 20, fixed = true) "degC";
  Boolean on(start = true, fixed = true);
  discrete Integer starts(start = 0, fixed = true) "how often it was switched on";
equation
  der(T) = loss*(outside - T) + (if on then heater else 0);
  on = T < 19 or pre(on) and T <= 21; // keeps what it was between the thresholds
  when on then
    starts = pre(starts) + 1;
  end when;
  annotation(experiment(StopTime = 40));
end Thermostat;
