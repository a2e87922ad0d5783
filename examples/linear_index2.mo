model LinearIndex2 "three linear equations without freedom, index 2; their structure pretends to be of index 1"
  // exact: x3 = t^3 + cos(t) - sin(t), x1 = (-cos(t) - t - x3)/2, x2 = -cos(t) - t^3 - x1
  Real x1, x2, x3;
equation
  der(x1) + der(x2) + der(x3) = 2*x1 + x3 + time;
  der(x1) + der(x2) + der(x3) = x1 + x2 + time^3;
  0 = x1 + x2 + x3 + sin(time);
  annotation(experiment(StopTime = 2));
end LinearIndex2;
