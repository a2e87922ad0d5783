model Andrews "Andrews' squeezing mechanism: seven bodies in a plane, seven angles, six loop constraints, index 3"
  // Test Set for IVP Solvers, release 2.4 (Mazzia & Magherini 2008)
  parameter Real m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
  parameter Real i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5;
  parameter Real xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  parameter Real d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874;
  parameter Real sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449;
  parameter Real zf = 0.02, zt = 0.04, fa = 0.01421, c0 = 4530, l0 = 0.07785, mom = 0.033;
  Real beta(start = -0.0617138900142764496358948458001), Theta(start = 0, fixed = true);
  Real gamma(start = 0.455279819163070380255912382449), Phi(start = 0.222668390165885884674473185609);
  Real delta(start = 0.487364979543842550225598953530), Omega(start = -0.222668390165885884674473185609);
  Real epsilon(start = 1.23054744454982119249735015568);
  Real vbeta, vTheta(start = 0, fixed = true), vgamma, vPhi, vdelta, vOmega, vepsilon;
  Real lambda[6];
  Real xd(start = 0.03), yd(start = 0.05), Ls(start = 0.07), F, Fx, Fy "spring between C and D";
equation
  der(beta) = vbeta; der(Theta) = vTheta; der(gamma) = vgamma; der(Phi) = vPhi;
  der(delta) = vdelta; der(Omega) = vOmega; der(epsilon) = vepsilon;
  xd = sd*cos(gamma) + sc*sin(gamma) + xb;
  yd = sd*sin(gamma) - sc*cos(gamma) + yb;
  Ls = sqrt((xd - xc)^2 + (yd - yc)^2);
  F = -c0*(Ls - l0)/Ls;
  Fx = F*(xd - xc);
  Fy = F*(yd - yc);
  (m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(Theta) + da^2) + i1 + i2)*der(vbeta) + (m2*(da^2 - da*rr*cos(Theta)) + i2)*der(vTheta)
    = mom - m2*da*rr*vTheta*(vTheta + 2*vbeta)*sin(Theta)
      - (-rr*sin(beta) + d*sin(beta + Theta))*(lambda[1] + lambda[3] + lambda[5])
      - (rr*cos(beta) - d*cos(beta + Theta))*(lambda[2] + lambda[4] + lambda[6]);
  (m2*(da^2 - da*rr*cos(Theta)) + i2)*der(vbeta) + (m2*da^2 + i2)*der(vTheta)
    = m2*da*rr*vbeta^2*sin(Theta) - d*sin(beta + Theta)*(lambda[1] + lambda[3] + lambda[5])
      + d*cos(beta + Theta)*(lambda[2] + lambda[4] + lambda[6]);
  (m3*(sa^2 + sb^2) + i3)*der(vgamma)
    = Fx*(sc*cos(gamma) - sd*sin(gamma)) + Fy*(sd*cos(gamma) + sc*sin(gamma)) + ss*cos(gamma)*lambda[1] + ss*sin(gamma)*lambda[2];
  (m4*(e - ea)^2 + i4)*der(vPhi) + (m4*((e - ea)^2 + zt*(e - ea)*sin(Phi)) + i4)*der(vdelta)
    = m4*zt*(e - ea)*vdelta^2*cos(Phi) + e*cos(Phi + delta)*lambda[3] + e*sin(Phi + delta)*lambda[4];
  (m4*((e - ea)^2 + zt*(e - ea)*sin(Phi)) + i4)*der(vPhi)
    + (m4*(zt^2 + 2*zt*(e - ea)*sin(Phi) + (e - ea)^2) + m5*(ta^2 + tb^2) + i4 + i5)*der(vdelta)
    = -m4*zt*(e - ea)*vPhi*(vPhi + 2*vdelta)*cos(Phi) - (-e*cos(Phi + delta) + zt*sin(delta))*lambda[3]
      - (-e*sin(Phi + delta) - zt*cos(delta))*lambda[4];
  (m6*(zf - fa)^2 + i6)*der(vOmega) + (m6*((zf - fa)^2 - u*(zf - fa)*sin(Omega)) + i6)*der(vepsilon)
    = -m6*u*(zf - fa)*vepsilon^2*cos(Omega) - zf*sin(Omega + epsilon)*lambda[5] + zf*cos(Omega + epsilon)*lambda[6];
  (m6*((zf - fa)^2 - u*(zf - fa)*sin(Omega)) + i6)*der(vOmega)
    + (m6*((zf - fa)^2 - 2*u*(zf - fa)*sin(Omega) + u^2) + m7*(ua^2 + ub^2) + i6 + i7)*der(vepsilon)
    = m6*u*(zf - fa)*vOmega*(vOmega + 2*vepsilon)*cos(Omega) - (zf*sin(Omega + epsilon) - u*cos(epsilon))*lambda[5]
      - (-zf*cos(Omega + epsilon) - u*sin(epsilon))*lambda[6];
  rr*cos(beta) - d*cos(beta + Theta) - ss*sin(gamma) - xb = 0;
  rr*sin(beta) - d*sin(beta + Theta) + ss*cos(gamma) - yb = 0;
  rr*cos(beta) - d*cos(beta + Theta) - e*sin(Phi + delta) - zt*cos(delta) - xa = 0;
  rr*sin(beta) - d*sin(beta + Theta) + e*cos(Phi + delta) - zt*sin(delta) - ya = 0;
  rr*cos(beta) - d*cos(beta + Theta) - zf*cos(Omega + epsilon) - u*sin(epsilon) - xa = 0;
  rr*sin(beta) - d*sin(beta + Theta) - zf*sin(Omega + epsilon) + u*cos(epsilon) - ya = 0;
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-8));
end Andrews;
