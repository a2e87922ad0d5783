model Thermostat
  Real T(start = 15, fixed = true);
  Boolean heat(start = true, fixed = true);
equation
  der(T) = 0.5*(10 - T) + (if heat then 8 else 0);
  when {T < 19, T > 21} then
    heat = T < 20;
  end when;
end Thermostat;
