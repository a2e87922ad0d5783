model TransistorAmplifier "eight nodes, two transistors; each coupling capacitor appears in two equations, which hides three constraints"
  // Test Set for IVP Solvers, release 2.4 (Mazzia & Magherini 2008)
  constant Real pi = 3.141592653589793;
  parameter Real Ub(unit = "V") = 6, UF(unit = "V") = 0.026, alpha = 0.99, beta(unit = "A") = 1e-6;
  parameter Real R0(unit = "Ohm") = 1000, R(unit = "Ohm") = 9000;
  parameter Real C1(unit = "F") = 1e-6, C2(unit = "F") = 2e-6, C3(unit = "F") = 3e-6, C4(unit = "F") = 4e-6, C5(unit = "F") = 5e-6;
  Real y1(unit = "V", start = 0), y2(unit = "V", start = 3, fixed = true), y3(unit = "V", start = 3), y4(unit = "V", start = 6, fixed = true);
  Real y5(unit = "V", start = 3, fixed = true), y6(unit = "V", start = 3), y7(unit = "V", start = 6, fixed = true), y8(unit = "V", start = 0, fixed = true);
protected
  function g "current of a diode"
    input Real u;
    input Real beta;
    input Real UF;
    output Real i;
  algorithm
    i := beta*(exp(u/UF) - 1);
  end g;
equation
  C1*(der(y2) - der(y1)) = (y1 - 0.1*sin(200*pi*time))/R0;
  C1*(der(y1) - der(y2)) = y2/R + (y2 - Ub)/R + (1 - alpha)*g(y2 - y3, beta, UF);
  -C2*der(y3) = y3/R - g(y2 - y3, beta, UF);
  C3*(der(y5) - der(y4)) = (y4 - Ub)/R + alpha*g(y2 - y3, beta, UF);
  C3*(der(y4) - der(y5)) = y5/R + (y5 - Ub)/R + (1 - alpha)*g(y5 - y6, beta, UF);
  -C4*der(y6) = y6/R - g(y5 - y6, beta, UF);
  C5*(der(y8) - der(y7)) = (y7 - Ub)/R + alpha*g(y5 - y6, beta, UF);
  C5*(der(y7) - der(y8)) = y8/R;
  annotation(experiment(StopTime = 0.2));
end TransistorAmplifier;
