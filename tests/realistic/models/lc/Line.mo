model Line "microstrip of twelve cells, mismatched: SI units, edges of 20 ps"
  parameter Real L = 0.5e-9, C = 0.2e-12, Rs = 25, RL = 120, CL = 0.5e-12;
  Real v[12](each start = 0, each fixed = true), i[12](each nominal = 0.01, each start = 0, each fixed = true), u, vin;
equation
  u = 0.5*(1 + tanh((time - 0.1e-9)/20e-12));
  vin = u - Rs*i[1];
  L*der(i[1]) = vin - v[1];
  for k in 2:12 loop
    L*der(i[k]) = v[k - 1] - v[k];
    C*der(v[k - 1]) = i[k - 1] - i[k];
  end for;
  CL*der(v[12]) = i[12] - v[12]/RL;
  annotation(experiment(StopTime = 2e-9));
end Line;
