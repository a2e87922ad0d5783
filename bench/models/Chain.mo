model Chain
  parameter Integer n = 60;
  Real x[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true);
  Real s[n + 1], F[n + 1], D[n];
equation
  s[1] = x[1] - 0.3*sin(3*time);
  for i in 2:n loop s[i] = x[i] - x[i - 1]; end for;
  s[n + 1] = -x[n];
  for i in 1:n + 1 loop F[i] = 50*s[i] + 20*s[i]^3; end for;
  for i in 1:n loop
    D[i] = 0.4*v[i];
    der(x[i]) = v[i];
    der(v[i]) = F[i + 1] - F[i] - D[i];
  end for;
end Chain;
