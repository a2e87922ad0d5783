model Sampled
  parameter Real a = -0.7, b = 2, k = 0.9, T = 0.13;
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true), sum(start = 0, fixed = true);
equation
  der(x) = a*x + b*u;
  when sample(0, T) then
    sum = pre(sum) + x;
    u = -k*x - 0.1*sum;
  end when;
end Sampled;
