model Pulses
  parameter Real period = 0.01;
  Real x(start = 0, fixed = true);
  Integer m(start = 0, fixed = true);
equation
  der(x) = m - x;
  when sample(period, period) then
    m = 1 - pre(m);
  end when;
end Pulses;
