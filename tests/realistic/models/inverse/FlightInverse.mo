model FlightInverse "point-mass aircraft on a given climb: lift and thrust are sought, index 2; SI units"
  parameter Real m = 54000, S = 105, cd0 = 0.021, kd = 0.045, g = 9.81;
  Real v(start = 150), gam(start = 0), h(start = 3000, fixed = true), x(start = 0, fixed = true), rho, Lift, D, T, cl;
equation
  m*der(v) = T - D - m*g*sin(gam);
  m*v*der(gam) = Lift - m*g*cos(gam);
  der(h) = v*sin(gam);
  der(x) = v*cos(gam);
  rho = 1.225*(1 - 2.2558e-5*h)^4.2559;
  Lift = 0.5*rho*v^2*S*cl;
  D = 0.5*rho*v^2*S*(cd0 + kd*cl^2);
  v = 150 + 20*tanh((time - 60)/25);
  gam = 0.06*(1 - exp(-time/15))*cos(0.02*time);
  annotation(experiment(StopTime = 200));
end FlightInverse;
