model LogAmp "logarithmic amplifier with compensation over five decades of input"
  parameter Real R = 100e3, Is = 1e-14, Vt = 0.02585, C = 100e-12, A = 2e5;
  Real vin = 10^(-4 + 5*(1 - cos(2*3.141592653589793*50*time))/2), vm, vo, ic,
    uc(nominal = 0.1, start = 0.05, fixed = true);
equation
  (vin - vm)/R = ic + C*der(uc);
  uc = vm - vo;
  ic = Is*(exp((vm - vo)/Vt) - 1);
  vo = -A*vm;
  annotation(experiment(StopTime = 0.04));
end LogAmp;
