model Relay
  Real x(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
  Integer switched(start = 0, fixed = true);
equation
  der(x) = if up then 1 else -2;
  up = if pre(up) then x < 1 else x <= -1;
  when change(up) then
    switched = pre(switched) + 1;
  end when;
end Relay;
