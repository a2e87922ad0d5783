model Buck "a synchronous converter: two events in each period"
  parameter Real L = 1e-3, C = 5e-5, R = 10, Vin = 24, T = 1e-4, duty = 0.4;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  L*der(i) = (if on then Vin else 0) - v;
  C*der(v) = i - v/R;
  when sample(T, T) then
    on = true;
  elsewhen sample(duty*T, T) then
    on = false;
  end when;
end Buck;
