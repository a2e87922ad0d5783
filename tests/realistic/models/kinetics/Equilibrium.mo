model Equilibrium "A + B = C, so fast that it is always at equilibrium: its rate is unknown"
  parameter Real K = 1e7;
  Real A(start = 0.4), B(start = 0.01), C(start = 0.6), r;
initial equation
  A + C = 1;
  B + C = 0.6;
equation
  der(A) = 0.5*sin(time)^2 - 0.2*A - r;
  der(B) = 0.5*cos(time)^2 - 0.2*B - r;
  der(C) = r - 0.2*C;
  K*A*B = C;
  annotation(experiment(StopTime = 12));
end Equilibrium;
