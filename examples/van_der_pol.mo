model VanDerPol "relaxation oscillator; eps = 0 is its reduced DAE, whose solution ends at y = 1, t = 1.5 - log(2)"
  parameter Real eps = 1e-6;
  Real y(start = 2, fixed = true), z(start = -0.66);
equation
  der(y) = z;
  eps*der(z) = (1 - y^2)*z - y;
  annotation(experiment(StopTime = 0.8));
end VanDerPol;
