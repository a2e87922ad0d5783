model JumpingInput "i = C der(u): the current is an impulse, and nothing else jumps"
  Real u, i, q(start = 0, fixed = true);
equation
  u = if time < 0.5 then 1 else 4;
  i = 2*der(u) + u;
  der(q) = u;
end JumpingInput;
