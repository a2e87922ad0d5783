model Pwm "a saw-tooth against a reference that moves"
  Real saw, r, x(start = 0, fixed = true);
equation
  saw = mod(time, 0.1)/0.1;
  r = 0.5 + 0.4*sin(time);
  der(x) = (if saw < r then 1 else -1) - x;
end Pwm;
