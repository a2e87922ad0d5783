model LithiumCell "lithium cell: two electrodes of Butler and Volmer, open-circuit curves, a pulsed current; SI units"
  parameter Real F = 96485, R = 8.314, T = 298.15, Q = 9000 "A.s", A = 0.6 "m2", kn = 1.2,
    kp = 0.8 "A/m2 ...", Cdl = 0.12, Rs = 0.012;
  Real xn(start = 0.8, fixed = true), xp(start = 0.42, fixed = true), In, Ip(start = 1), en,
    ep(nominal = 0.05, start = 0, fixed = true), Un, Up, V, I;
equation
  I = 2.5*(1 + tanh((time - 20)/0.1)) - 4*(1 + tanh((time - 600)/0.1));
  Q*der(xn) = -In;
  0.85*Q*der(xp) = Ip;
  In = I;
  I = Ip - Cdl*A*der(ep);
  In = 2*A*kn*sqrt(xn*(1 - xn))*sinh(F*en/(2*R*T))*10;
  Ip = -2*A*kp*sqrt(xp*(1 - xp))*sinh(F*ep/(2*R*T))*10;
  Un = 0.1 + 0.8*exp(-30*xn) - 0.02*tanh((xn - 0.55)/0.05) - R*T/F*log(xn/(1 - xn));
  Up = 4.2 - 0.9*xp + 0.1*exp(-40*xp) + R*T/F*log((1 - xp)/xp);
  V = Up + ep - Un - en - Rs*I;
  annotation(experiment(StopTime = 1200));
end LithiumCell;
