model Plastic "two masses whose difference of velocities is prescribed, and jumps"
  Real v1(start = 2, fixed = true), v2, w, f, x(start = 0, fixed = true);
equation
  w = if time < 1 then 2 else 0;
  3*der(v1) = -f;
  1*der(v2) = f - 0.5;
  v1 - v2 = w;
  der(x) = v1;
end Plastic;
