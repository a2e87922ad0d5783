model Satellite "four plates that see each other: radiosities beside the heat balances"
  parameter Real s = 5.670374419e-8 "W/(m2.K4)", e[4] = {0.9, 0.1, 0.85, 0.3}, C[4] = {900, 450, 1200, 700};
  parameter Real F[4, 4] = [0, 0.2, 0.3, 0.1; 0.2, 0, 0.25, 0.2; 0.3, 0.25, 0, 0.15; 0.1, 0.2, 0.15, 0];
  Real T[4](start = {300, 250, 280, 320}, each fixed = true) "K";
  Real J[4](each start = 400) "W/m2", G[4], q[4], sun;
equation
  sun = 1000*(1 + sin(2*3.141592653589793*time/5400))/2;
  for k in 1:4 loop
    J[k] = e[k]*s*T[k]^4 + (1 - e[k])*G[k];
    G[k] = F[k, 1]*J[1] + F[k, 2]*J[2] + F[k, 3]*J[3] + F[k, 4]*J[4];
    q[k] = J[k] - G[k];
  end for;
  C[1]*der(T[1]) = e[1]*sun - q[1];
  C[2]*der(T[2]) = -q[2] + 5*(T[3] - T[2]);
  C[3]*der(T[3]) = 80 - q[3] - 5*(T[3] - T[2]);
  C[4]*der(T[4]) = -q[4];
  annotation(experiment(StopTime = 10800));
end Satellite;
