model Train "pulses"
  Real x(start = 0, fixed = true), on_for(start = 0, fixed = true);
  Boolean on = mod(time, 1) < 0.5;
equation
  der(x) = (if on then 1 else 0) - x;
  der(on_for) = if on then 1 else 0;
end Train;
