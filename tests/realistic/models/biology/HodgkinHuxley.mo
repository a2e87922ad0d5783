model HodgkinHuxley "squid axon, a current pulse of 1 ms: mV, ms, uF/cm2, mS/cm2"
  parameter Real C = 1, gNa = 120, gK = 36, gL = 0.3, ENa = 115, EK = -12, EL = 10.613;
  Real V(start = 0, fixed = true), m(start = 0.0529, fixed = true), h(start = 0.5961, fixed = true),
    n(start = 0.3177, fixed = true);
  Real I = 10*(tanh((time - 5)/0.02) - tanh((time - 6)/0.02)), INa, IK, IL;
equation
  C*der(V) = I - INa - IK - IL;
  INa = gNa*m^3*h*(V - ENa);
  IK = gK*n^4*(V - EK);
  IL = gL*(V - EL);
  der(m) = 0.1*(25.001 - V)/(exp((25.001 - V)/10) - 1)*(1 - m) - 4*exp(-V/18)*m;
  der(h) = 0.07*exp(-V/20)*(1 - h) - 1/(exp((30 - V)/10) + 1)*h;
  der(n) = 0.01*(10.001 - V)/(exp((10.001 - V)/10) - 1)*(1 - n) - 0.125*exp(-V/80)*n;
  annotation(experiment(StopTime = 25));
end HodgkinHuxley;
