model WaterSteam "water and steam by temperature and pressure: published values, and laws that hold between them"
  import Daedal.Media.*;
  import Daedal.Water;
  function off "0 where r is 1 to within tolerance"
    input Real r, tolerance;
    output Real error = if noEvent(abs(r - 1) < tolerance) then 0 else r - 1;
  algorithm
  end off;
  // IAPWS R7-97(2012), Tables 5 and 15: nine digits
  Real error_liquid[6] = {0.100215168e-2*Water.liquidDensity(300, 3e6) - 1, 0.971180894e-3*Water.liquidDensity(300, 80e6) - 1,
    0.120241800e-2*Water.liquidDensity(500, 3e6) - 1, Water.liquidEnthalpy(300, 3e6)/0.115331273e6 - 1,
    Water.liquidEnthalpy(300, 80e6)/0.184142828e6 - 1, Water.liquidEnthalpy(500, 3e6)/0.975542239e6 - 1};
  Real error_steam[6] = {0.394913866e2*Water.steamDensity(300, 3500) - 1, 0.923015898e2*Water.steamDensity(700, 3500) - 1,
    0.542946619e-2*Water.steamDensity(700, 30e6) - 1, Water.steamEnthalpy(300, 3500)/0.254991145e7 - 1,
    Water.steamEnthalpy(700, 3500)/0.333568375e7 - 1, Water.steamEnthalpy(700, 30e6)/0.263149474e7 - 1};
  // Sec. 4: the boundary between regions 2 and 3
  Real error_boundary = Water.boundaryPressure(623.15)/0.165291643e8 - 1;
  // dh/dp = v - T dv/dT at constant T, by central differences along the run
  Real T = 400 + 200*time, p = 20e6 + 40e6*time;
  Real v_T = (1/Water.liquidDensity(T + 0.01, p) - 1/Water.liquidDensity(T - 0.01, p))/0.02;
  Real h_p = (Water.liquidEnthalpy(T, p + 1e3) - Water.liquidEnthalpy(T, p - 1e3))/2e3;
  Real error_liquid_law = off(h_p/(1/Water.liquidDensity(T, p) - T*v_T), 1e-5);
  Real w_T = (1/Water.steamDensity(T + 300.01, p/10) - 1/Water.steamDensity(T + 299.99, p/10))/0.02;
  Real g_p = (Water.steamEnthalpy(T + 300, p/10 + 1e3) - Water.steamEnthalpy(T + 300, p/10 - 1e3))/2e3;
  Real error_steam_law = off(g_p/(1/Water.steamDensity(T + 300, p/10) - (T + 300)*w_T), 1e-5);
  // the heat of boiling by Clausius and Clapeyron; saturation as published apart
  Real T_b = 300 + 300*time, p_b = saturationPressure(T_b);
  Real rho[2] = {Water.liquidDensity(T_b, p_b), Water.steamDensity(T_b, p_b)};
  Real h[2] = {Water.liquidEnthalpy(T_b, p_b), Water.steamEnthalpy(T_b, p_b)};
  Real error_boiling = off((h[2] - h[1])/(T_b*saturationSlope(T_b)*(1/rho[2] - 1/rho[1])), 1e-3);
  Real error_saturation[2] = {off(rho[1]/boilingDensity(T_b), 3e-4), off(rho[2]/Daedal.Media.steamDensity(T_b), 2e-3)};
  annotation(experiment(StopTime = 1));
end WaterSteam;
