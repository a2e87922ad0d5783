// with ../examples/library/building.mo
model Building "two heated rooms: of components, and their equations by hand"
  building parts;
  Real Tk(start = 291.15, fixed = true), To(start = 289.15, fixed = true), Te = 275.15 + 5*sin(2*Modelica.Constants.pi/86400*time - 2);
  Real N[6](each start = 283.15, each fixed = true), S[6](each start = 283.15, each fixed = true) "of 1 m2 of wall";
  parameter Real R[6] = {0.01/0.9, 0.01/0.9, 0.06/0.04, 0.06/0.04, 0.12/0.6, 0.12/0.6}, C[6] = {16000, 16000, 2520, 2520, 129600, 129600};
  parameter Real G[7] = {1/(1/20 + R[1]/2), 2/(R[1] + R[2]), 2/(R[2] + R[3]), 2/(R[3] + R[4]), 2/(R[4] + R[5]), 2/(R[5] + R[6]), 1/(R[6]/2 + 1/8)};
  parameter Real door(unit = "W/K") = 15, k(unit = "W/K") = 300;
  Boolean warm(start = false, fixed = true) = Tk > 294.15 or pre(warm) and Tk >= 293.15;
  Real I(start = 0, fixed = true), v, y;
equation
  C[1]*der(N[1]) = G[1]*(Te - N[1]) - G[2]*(N[1] - N[2]);
  C[1]*der(S[1]) = G[1]*(Te - S[1]) - G[2]*(S[1] - S[2]);
  for i in 2:5 loop
    C[i]*der(N[i]) = G[i]*(N[i - 1] - N[i]) - G[i + 1]*(N[i] - N[i + 1]);
    C[i]*der(S[i]) = G[i]*(S[i - 1] - S[i]) - G[i + 1]*(S[i] - S[i + 1]);
  end for;
  C[6]*der(N[6]) = G[6]*(N[5] - N[6]) - G[7]*(N[6] - Tk);
  C[6]*der(S[6]) = G[6]*(S[5] - S[6]) - G[7]*(S[6] - To);
  4e5*der(Tk) = 25*G[7]*(N[6] - Tk) + 4.4*(Te - Tk) + door*(To - Tk) + (if warm then 0 else 1500);
  2.5e5*der(To) = 15*G[7]*(S[6] - To) + 6.6*(Te - To) + door*(Tk - To) + 100 + y;
  v = k*(293.15 - To + I);
  y = if v > 1200 then 1200 elseif v < 0 then 0 else v;
  der(I) = (293.15 - To)/1200 + (y - v)/(k*0.9*1200);
public
  Real error_T[2] = {parts.kitchen.T - Tk, parts.office.T - To}/10, error_y = (parts.controller.y - y)/1000;
  Real error_N[6] = (parts.north.T - N)/10, error_S[6] = (parts.south.T - S)/10;
  annotation(experiment(StopTime = 86400));
end Building;
