model Clipper "diode clipper of a guitar pedal: two diodes in antiparallel"
  parameter Real R = 2.2e3, C = 10e-9, Is = 2.52e-9, Vt = 25.85e-3*1.752;
  Real vin, vo(start = 0, fixed = true), id;
equation
  vin = 4.5*sin(2*3.141592653589793*1000*time) + 1.5*sin(2*3.141592653589793*3300*time);
  id = 2*Is*sinh(vo/Vt);
  C*der(vo) = (vin - vo)/R - id;
  annotation(experiment(StopTime = 2e-3));
end Clipper;
