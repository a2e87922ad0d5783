within Daedal;
package Media "Properties of gases, liquids, and water that boils"
  import Modelica.Units.SI;

  constant SI.Pressure p_ref = 1e5 "Pressure of the standard state";
  constant SI.Temperature kelvin = 1 "Unit of T in the logarithms of entropies";

  // ---------------------------------------------------------------- ideal gases and incompressible liquids

  record Medium "Ideal gas, or incompressible liquid.
    cp = R*(a[1] + a[2]*T + a[3]*T^2 + a[4]*T^3 + a[5]*T^4), and a[6], a[7] are the constants of h and s (the seven coefficients of NASA)"
    parameter Boolean liquid = false "A liquid";
    parameter SI.SpecificHeatCapacity R "Gas constant, 8.314.../M; of a liquid the unit in which cp is counted";
    parameter Real low[7] "Coefficients below T_mid";
    parameter Real high[7] = low "Coefficients above T_mid";
    parameter SI.Temperature T_mid = 1000 "Where the coefficients change";
    parameter SI.Density rho(start = 1) = 1 "Density of a liquid";
    parameter SI.DynamicViscosity mu = 2e-5 "Viscosity";
    parameter SI.Temperature T_min = 0 "A note tells where it is colder,";
    parameter SI.Temperature T_max = 1e6 "... and where it is hotter";
  end Medium;

  constant Medium air = Medium(R = 8.31446261815324/0.028965,
    low = {3.56839620, -6.78729429e-4, 1.55371476e-6, -3.29937060e-12, -4.66395387e-13, -1.06234659e3, 3.71582965},
    high = {3.08792717, 1.24597184e-3, -4.23718945e-7, 6.74774789e-11, -3.97076972e-15, -9.95262755e2, 5.95960930}, mu = 1.85e-5, T_min = 200, T_max = 6000)
    "Dry air from 200 K to 6000 K (A. Burcat, B. Ruscic, ANL-05/20, 2005, with M = 28.965 g/mol)";
  constant Medium simpleAir = idealGas(R = 287.05, cp = 1005, mu = 1.85e-5) "Air of constant heat capacity";
  constant Medium water = liquid(rho = 998, cp = 4184, mu = 1.0e-3, T_min = 273.15, T_max = 453.15) "Water at about 20 degC; up to 453.15 K, where it needs 10 bar, cp is off by 5 %, and rho by 13 %";

  function idealGas "Ideal gas of constant heat capacity; h is 0 at T_ref, s at T_ref and 1 bar"
    input SI.SpecificHeatCapacity R "Gas constant";
    input SI.SpecificHeatCapacity cp "Heat capacity at constant pressure";
    input SI.DynamicViscosity mu = 2e-5 "Viscosity";
    input SI.Temperature T_ref = 298.15 "Where h is 0";
    input SI.Temperature T_min = 0 "A note tells where it is colder,";
    input SI.Temperature T_max = 1e6 "... and where it is hotter";
    output Medium medium = Medium(R = R, low = cp/R*{1, 0, 0, 0, 0, -T_ref, -log(T_ref/kelvin)}, mu = mu, T_min = T_min, T_max = T_max);
  algorithm
  end idealGas;

  function liquid "Incompressible liquid of constant heat capacity; h is 0 at T_ref and 1 bar"
    input SI.Density rho "Density";
    input SI.SpecificHeatCapacity cp "Heat capacity";
    input SI.DynamicViscosity mu = 1e-3 "Viscosity";
    input SI.Temperature T_ref = 273.15 "Where h is 0";
    input SI.Temperature T_min = 0 "A note tells where it is colder,";
    input SI.Temperature T_max = 1e6 "... and where it is hotter";
    output Medium medium = Medium(liquid = true, R = cp, low = {1, 0, 0, 0, 0, -T_ref, -log(T_ref/kelvin)}, rho = rho, mu = mu,
      T_min = T_min, T_max = T_max);
  algorithm
  end liquid;

  function fingerprint "A number that tells media with different enthalpies apart, by what their h follows from at 1000 K"
    input Medium medium;
    output Real number;
  protected
    Real weight[7] = {1, 1.1e3, 1.2e6, 1.3e9, 1.4e12, 1.5e-3, 1.6};
  algorithm
    number := medium.R*(1 + weight*medium.low + 1.7*(weight*medium.high) + 1.8e-3*medium.T_mid) + (if medium.liquid then 1.9*medium.rho else 0);
  end fingerprint;

  function checkRange "Notes where a medium is colder or hotter than its properties hold; 0.1 K is let pass"
    input Medium medium;
    input SI.Temperature T;
  algorithm
    assert(T > medium.T_min - 0.1 and T < medium.T_max + 0.1, "the medium has its properties from " + String(medium.T_min) + " K to "
      + String(medium.T_max) + " K, and is at T = " + String(T, significantDigits = 8) + " K", AssertionLevel.warning);
  end checkRange;

  function specificHeatCapacity "cp at T"
    input Medium medium;
    input SI.Temperature T;
    output SI.SpecificHeatCapacity cp;
  protected
    Real a[7] = noEvent(if T < medium.T_mid then medium.low else medium.high);
  algorithm
    checkRange(medium, T);
    cp := medium.R*(a[1] + T*(a[2] + T*(a[3] + T*(a[4] + T*a[5]))));
  end specificHeatCapacity;

  function integral "Integral of cp/R from 0 to T by the coefficients a"
    input Real a[7];
    input SI.Temperature T;
    output SI.Temperature h = T*(a[1] + T*(a[2]/2 + T*(a[3]/3 + T*(a[4]/4 + T*a[5]/5))));
  algorithm
  end integral;

  function integralByT "Integral of cp/(R*T) by the coefficients a"
    input Real a[7];
    input SI.Temperature T;
    output Real s = a[1]*log(T/kelvin) + T*(a[2] + T*(a[3]/2 + T*(a[4]/3 + T*a[5]/4)));
  algorithm
  end integralByT;

  function specificEnthalpy "h at T and p; continuous at T_mid, whatever a[6] is above it"
    input Medium medium;
    input SI.Temperature T;
    input SI.Pressure p;
    output SI.SpecificEnthalpy h;
  protected
    SI.Temperature part = smooth(1, if T < medium.T_mid then integral(medium.low, T)
      else integral(medium.high, T) - integral(medium.high, medium.T_mid) + integral(medium.low, medium.T_mid));
  algorithm
    checkRange(medium, T);
    h := medium.R*(medium.low[6] + part) + (if medium.liquid then (p - p_ref)/medium.rho else 0);
  end specificEnthalpy;

  function specificInternalEnergy "u = h - p/rho, which depends on T alone"
    input Medium medium;
    input SI.Temperature T;
    output SI.SpecificEnergy u = specificEnthalpy(medium, T, p_ref) - (if medium.liquid then p_ref/medium.rho else medium.R*T);
  algorithm
  end specificInternalEnergy;

  function specificEntropy "s at T and p; continuous at T_mid, whatever a[7] is above it"
    input Medium medium;
    input SI.Temperature T;
    input SI.Pressure p;
    output SI.SpecificEntropy s;
  protected
    Real part = smooth(1, if T < medium.T_mid then integralByT(medium.low, T)
      else integralByT(medium.high, T) - integralByT(medium.high, medium.T_mid) + integralByT(medium.low, medium.T_mid));
  algorithm
    checkRange(medium, T);
    s := medium.R*(medium.low[7] + part - (if medium.liquid then 0 else log(p/p_ref)));
  end specificEntropy;

  function density "rho at T and p"
    input Medium medium;
    input SI.Temperature T;
    input SI.Pressure p;
    output SI.Density rho = if medium.liquid then medium.rho else p/(medium.R*T);
  algorithm
  end density;

  // ---------------------------------------------------------------- water and steam at saturation

  constant SI.Temperature T_critical = 647.096 "Above it there is no boiling";

  function checkBoiling "Ends the run where water does not boil at T; what a tolerance leaves below 273.15 K is let pass"
    input SI.Temperature T;
  algorithm
    assert(T > 273.05 and T <= T_critical, "water boils between 273.15 K and 647.096 K, not at T = " + String(T, significantDigits = 8) + " K");
  end checkBoiling;

  function saturationPressure "Pressure at which water boils, 273.15 K to 647.096 K: IAPWS R7-97(2012), Eq. 30"
    input SI.Temperature T;
    output SI.Pressure p;
  protected
    Real t = T - 0.23855557567849/(T - 650.17534844798);
    Real A = 1e-6*(t^2 + 1167.0521452767*t - 724213.16703206) "by 1e-6, so that high powers of p are finite";
    Real B = 1e-6*(-17.073846940092*t^2 + 12020.82470247*t - 3232555.0322333);
    Real C = 1e-6*(14.91510861353*t^2 - 4823.2657361591*t + 405113.40542057);
  algorithm
    checkBoiling(T);
    p := 1e6*(2*C/(-B + sqrt(B^2 - 4*A*C)))^4;
  end saturationPressure;

  function saturationTemperature "Temperature at which water boils, 611.213 Pa to 22.064 MPa: IAPWS R7-97(2012), Eq. 31"
    input SI.Pressure p;
    output SI.Temperature T;
  protected
    Real b = noEvent(if p > 100 then (p/1e6)^0.25 else 0.1*exp((p - 100)/400)) "goes on, so that iterations come back";
    Real E = b^2 - 17.073846940092*b + 14.91510861353;
    Real F = 1167.0521452767*b^2 + 12020.82470247*b - 4823.2657361591;
    Real G = -724213.16703206*b^2 - 3232555.0322333*b + 405113.40542057;
    Real D = 2*G/(-F - sqrt(F^2 - 4*E*G));
  algorithm
    assert(p > 607 and p < 22.065e6, "water boils between 611.2 Pa and 22.064 MPa, not at p = " + String(p, significantDigits = 8) + " Pa");
    T := (650.17534844798 + D - sqrt((650.17534844798 + D)^2 - 4*(-0.23855557567849 + 650.17534844798*D)))/2;
  end saturationTemperature;

  function saturationSlope "dp/dT where water boils: the derivative of saturationPressure"
    input SI.Temperature T;
    output Real dp(unit = "Pa/K");
  protected
    Real t = T - 0.23855557567849/(T - 650.17534844798);
    Real dt = 1 + 0.23855557567849/(T - 650.17534844798)^2;
    Real b = (saturationPressure(T)/1e6)^0.25 "the curve is A b^2 + B b + C = 0";
    Real slope = (2*t + 1167.0521452767)*b^2 + (-17.073846940092*2*t + 12020.82470247)*b + 14.91510861353*2*t - 4823.2657361591;
    Real by_b = 2*(t^2 + 1167.0521452767*t - 724213.16703206)*b - 17.073846940092*t^2 + 12020.82470247*t - 3232555.0322333;
  algorithm
    dp := -4e6*b^3*slope/by_b*dt;
  end saturationSlope;

  function boilingDensity "Density of water that boils: IAPWS SR1-86(1992), Eq. 2; above the critical temperature some falling function, so that iterations come back"
    input SI.Temperature T;
    output SI.Density rho;
  protected
    Real r = noEvent(abs(1 - T/T_critical))^(1/3);
  algorithm
    checkBoiling(T);
    rho := 322*noEvent(if T < T_critical
      then 1 + 1.99274064*r + 1.09965342*r^2 - 0.510839303*r^5 - 1.75493479*r^16 - 45.5170352*r^43 - 6.74694450e5*r^110
      else 1 - 1.99274064*r);
  end boilingDensity;

  function steamDensity "Density of steam at saturation: IAPWS SR1-86(1992), Eq. 3; above the critical temperature some rising function"
    input SI.Temperature T;
    output SI.Density rho;
  protected
    Real r = noEvent(abs(1 - T/T_critical))^(1/6);
  algorithm
    checkBoiling(T);
    rho := 322*exp(noEvent(if T < T_critical
      then -2.03150240*r^2 - 2.68302940*r^4 - 5.38626492*r^8 - 17.2991605*r^18 - 44.7586581*r^37 - 63.9201063*r^71
      else 2.03150240*r^2));
  end steamDensity;

  function saturationAlpha "Auxiliary quantity of both enthalpies: IAPWS SR1-86(1992), Eq. 4"
    input SI.Temperature T;
    output SI.SpecificEnthalpy alpha;
  protected
    Real r = T/T_critical;
  algorithm
    checkBoiling(T);
    alpha := 1000*(-1135.905627715 - 5.65134998e-8/r^19 + 2690.66631*r + 127.287297*r^4.5 - 135.003439*r^5 + 0.981825814*r^54.5);
  end saturationAlpha;

  function boilingEnthalpy "h of water that boils: IAPWS SR1-86(1992), Eq. 6; u is 0 at the triple point"
    input SI.Temperature T;
    output SI.SpecificEnthalpy h = saturationAlpha(T) + T/boilingDensity(T)*saturationSlope(T);
  algorithm
  end boilingEnthalpy;

  function steamEnthalpy "h of steam at saturation: IAPWS SR1-86(1992), Eq. 7"
    input SI.Temperature T;
    output SI.SpecificEnthalpy h = saturationAlpha(T) + T/steamDensity(T)*saturationSlope(T);
  algorithm
  end steamEnthalpy;
end Media;
