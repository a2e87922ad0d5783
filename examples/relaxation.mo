model Relaxation "a relaxation oscillator without its inductance: the current z jumps at a fold, an impasse point"
  // y is the charge; daedal run --singular pass follows the curve of solutions past the fold
  Real y "charge", z(start = 2, fixed = true) "current";
equation
  der(y) = -z;
  y = z^3/3 - z;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Relaxation;
