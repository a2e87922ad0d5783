model Sliding "a relay without a gap: x comes to 0 and slides there until the push is stronger than the relay"
  Real x(start = 1, fixed = true), push;
equation
  push = if time < 3 then 0.3 else 0.3 + (time - 3);
  der(x) = push - sign(x);
  annotation(experiment(StopTime = 4));
end Sliding;
