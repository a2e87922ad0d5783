// with ../examples/library/gas_turbine.mo
model GasTurbine "a gas turbine: of components, and its equations by hand, the energies as balances of temperatures"
  gas_turbine parts;
  import Daedal.Media.*;
  parameter Real R = air.R, p0 = 101325, h1 = specificEnthalpy(air, 288.15, p0);
  Real w(start = 5000, fixed = true), Td(start = 420, fixed = true), Tc(start = 1050, fixed = true), pd(start = 2.9e5, fixed = true), pc(start = 2.8e5, fixed = true);
  Real m1(start = 3), m2(start = 3), m3(start = 3), head(start = 1e5), hd, hc, ud = hd - R*Td, uc = hc - R*Tc, hb "after the fire";
  Real Ti(start = 400), Tt(start = 800) "at the ends of both isentropic changes";
  Real M1(start = 1) = pd*0.3/(R*Td), M2(start = 1) = pc*0.3/(R*Tc), q = 1 - (p0/pc)^2, I(start = 18, fixed = true), v, f;
equation
  specificEntropy(air, Ti, pd) = specificEntropy(air, 288.15, p0);
  head = specificEnthalpy(air, Ti, pd) - h1;
  head = 0.6*(w^2/100 - (m1*R*288.15/p0)^2/(0.3*Modelica.Constants.pi*0.01)^2);
  hd = specificEnthalpy(air, Td, pd);
  der(M1) = m1 - m2;
  M1*(specificHeatCapacity(air, Td) - R)*der(Td) = m1*(h1 + head/0.82 - ud) - m2*(hd - ud);
  pd - pc = 1e4*m2*sqrt(m2^2 + 9e-4)/9;
  hb*(m2 + f) = hd*m2 + 0.99*43e6*f;
  hc = specificEnthalpy(air, Tc, pc);
  der(M2) = m2 + f - m3;
  M2*(specificHeatCapacity(air, Tc) - R)*der(Tc) = (m2 + f)*(hb - uc) - m3*(hc - uc);
  m3 = 5.5e-3*pc/sqrt(R*Tc)*q/(q^2 + 1e-12)^0.25;
  specificEntropy(air, Tt, p0) = specificEntropy(air, Tc, pc);
  (0.05 + 5/35^2)*der(w) = (m3*0.87*(hc - specificEnthalpy(air, Tt, p0)) - m1*head/0.82)/w - (1000*w/35/150 + (if time < 3 then 0 else 500))/35;
  v = 0.002*(150 - w/35 + I);
  f = if v > 0.07 then 0.07 elseif v < 0.005 then 0.005 else v;
  der(I) = 150 - w/35 + (f - v)/(0.002*0.9);
public
  Real error_w = parts.rotor.w/w - 1, error_T[2] = {parts.diffuser.T/Td - 1, parts.chamber.T/Tc - 1}, error_p[2] = {parts.diffuser.p/pd - 1, parts.chamber.p/pc - 1};
  Real error_m[2] = {parts.compressor.m_flow/m1 - 1, parts.turbine.m_flow/m3 - 1}, error_f = parts.governor.y/f - 1;
  annotation(experiment(StopTime = 10));
end GasTurbine;
