model Species "Lotka and Volterra: each species meets all others"
  parameter Integer n = 12;
  parameter Real a[n, n] = {{sin(3*i + 7*j) + (if i == j then 2 else 0) for j in 1:n} for i in 1:n};
  Real x[n](each start = 0.3, each fixed = true), growth[n], season;
equation
  season = 0.3*sin(time);
  for i in 1:n loop
    growth[i] = 1 + 0.2*sin(i) + season - sum(a[i, j]*x[j] for j in 1:n);
    der(x[i]) = x[i]*growth[i];
  end for;
end Species;
