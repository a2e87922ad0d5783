model Phenytoin "tablet, gut, plasma, tissue, Michaelis-Menten elimination; mg, l, h"
  parameter Real ka = 0.6, kd = 2.5, V = 45, kpt = 0.35, ktp = 0.22, Vmax = 18, Km = 4.5;
  Real tablet(start = 300, fixed = true), gut(start = 0, fixed = true), A(start = 0, fixed = true),
    P(start = 0, fixed = true);
  Real c, elimination, gone, balance;
equation
  der(tablet) = -kd*tablet;
  der(gut) = kd*tablet - ka*gut;
  c = A/V;
  elimination = Vmax*c/(Km + c);
  der(A) = ka*gut - kpt*A + ktp*P - elimination;
  der(P) = kpt*A - ktp*P;
  gone = 300 - tablet - gut - A - P;
  balance*300 = gone;
  annotation(experiment(StopTime = 72));
end Phenytoin;
