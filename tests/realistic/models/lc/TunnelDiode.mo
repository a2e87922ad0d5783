model TunnelDiode "relaxation oscillator of a tunnel diode"
  parameter Real L = 20e-9, C = 5e-12, R = 5, U = 0.2, Ip = 10e-3, Vp = 0.065, Is = 1e-10, Vt = 0.026;
  Real i(nominal = 0.01, start = 0, fixed = true), v(nominal = 0.1, start = 0, fixed = true), id;
equation
  L*der(i) = U - R*i - v;
  C*der(v) = i - id;
  id = Ip*v/Vp*exp(1 - v/Vp) + Is*(exp(v/Vt) - 1);
  annotation(experiment(StopTime = 6e-9));
end TunnelDiode;
