model CarAxis "car axis on a bumpy road, index 3"
  // Test Set for IVP Solvers, release 2.4 (Mazzia & Magherini 2008)
  parameter Real L = 1, L0 = 0.5, eps = 0.01, M = 10, r = 0.1, w = 10, g = 1;
  final parameter Real k = M*eps^2/2;
  Real xl(start = 0), yl(start = 0.5, fixed = true), xr(start = 1), yr(start = 0.5, fixed = true);
  Real ul(start = -0.5), vl(start = 0, fixed = true), ur(start = -0.5), vr(start = 0, fixed = true);
  Real lam1, lam2, xb(start = 1), yb, Ll(start = 0.5), Lr(start = 0.5);
equation
  yb = r*sin(w*time);
  xb = sqrt(L^2 - yb^2);
  Ll = sqrt(xl^2 + yl^2);
  Lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  der(xl) = ul; der(yl) = vl; der(xr) = ur; der(yr) = vr;
  k*der(ul) = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr);
  k*der(vl) = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - k*g;
  k*der(ur) = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr);
  k*der(vr) = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - k*g;
  0 = xb*xl + yb*yl;
  0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
  annotation(experiment(StopTime = 3));
end CarAxis;
