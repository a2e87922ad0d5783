model Particle "diffusion in an electrode's particle, eight shells of equal thickness; surface and overpotential algebraic"
  parameter Real Rp = 8e-6 "m", D = 4e-15, cmax = 30555 "mol/m3", a = 3e5 "1/m", F = 96485, f = 38.92,
    k = 5e-11, dr = Rp/8;
  Real c[8](each start = 24000, each fixed = true), cs(start = 20000), j(nominal = 1e-5) "mol/(m2.s)",
    N[7](each nominal = 1e-5), eta, i0, U, phi;
equation
  j = 2.5e-5*(1 + 0.6*sin(2*3.141592653589793*time/300));
  for s in 1:7 loop
    N[s] = -D*(c[s + 1] - c[s])/dr;
  end for;
  (dr^3)/3*der(c[1]) = -dr^2*N[1];
  for s in 2:7 loop
    dr^3*(s^3 - (s - 1)^3)/3*der(c[s]) = dr^2*((s - 1)^2*N[s - 1] - s^2*N[s]);
  end for;
  dr^3*(8^3 - 7^3)/3*der(c[8]) = dr^2*7^2*N[7] - Rp^2*j;
  j = -D*(cs - c[8])/(dr/2);
  i0 = F*k*sqrt(1000*cs*(cmax - cs));
  j*F = 2*i0*sinh(0.5*f*eta);
  U = 0.13 + 0.7*exp(-60*cs/cmax) - 0.05*tanh((cs/cmax - 0.5)/0.03);
  phi = U + eta;
  annotation(experiment(StopTime = 1500));
end Particle;
