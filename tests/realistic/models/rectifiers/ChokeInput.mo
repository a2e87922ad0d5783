model ChokeInput "half-wave rectifier with freewheeling diode, choke and capacitor"
  parameter Real Rs = 0.5, L = 50e-3, C = 1e-3, RL = 20, Is = 1e-9, Vt = 0.05, G = 1e-6 "snubbers, S";
  Real u = 325*sin(100*3.141592653589793*time), x, i1, i2;
  Real iL(start = 0, fixed = true), vc(start = 0, fixed = true);
equation
  i1 = Is*(exp((u - Rs*i1 - x)/Vt) - 1) + G*(u - x);
  i2 = Is*(exp(-x/Vt) - 1) - G*x;
  i1 + i2 = iL;
  L*der(iL) = x - vc;
  C*der(vc) = iL - vc/RL;
  annotation(experiment(StopTime = 0.1));
end ChokeInput;
