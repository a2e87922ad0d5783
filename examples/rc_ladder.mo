model RcLadder "N resistors and capacitors in a chain, charged through the first: sparse"
  parameter Integer N = 1000;
  parameter Real R(unit = "Ohm") = 1, C(unit = "F") = 1, U(unit = "V") = 1;
  Real v[N](each start = 0, each fixed = true, each unit = "V");
equation
  R*C*der(v[1]) = U - 2*v[1] + v[2];
  for i in 2:N - 1 loop
    R*C*der(v[i]) = v[i - 1] - 2*v[i] + v[i + 1];
  end for;
  R*C*der(v[N]) = v[N - 1] - v[N];
  annotation(experiment(StopTime = 100));
end RcLadder;
