within Daedal;
package Water "Water and steam by temperature and pressure: IAPWS R7-97(2012), the industrial formulation, regions 1 and 2.
    Boundaries between them are Media.saturationPressure and the curve boundaryPressure"
  import Modelica.Units.SI;

  constant SI.SpecificHeatCapacity R = 461.526 "Gas constant";

  // ---------------------------------------------------------------- region 1: liquid, up to 623.15 K and 100 MPa

  constant Integer I1[34] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 8, 8, 21, 23, 29, 30, 31, 32} "Table 2";
  constant Integer J1[34] = {
    -2, -1, 0, 1, 2, 3, 4, 5, -9, -7, -1, 0, 1, 3, -3, 0, 1, 3, 17, -4, 0, 6, -5, -2, 10, -8, -11, -6, -29, -31, -38,
    -39, -40, -41};
  constant Real n1[34] = {
    0.14632971213167, -0.84548187169114, -3.756360367204, 3.3855169168385, -0.95791963387872, 0.15772038513228,
    -0.016616417199501, 0.00081214629983568, 0.00028319080123804, -0.00060706301565874, -0.018990068218419,
    -0.032529748770505, -0.021841717175414, -5.283835796993e-5, -0.00047184321073267, -0.00030001780793026,
    4.7661393906987e-5, -4.4141845330846e-6, -7.2694996297594e-16, -3.1679644845054e-5, -2.8270797985312e-6,
    -8.5205128120103e-10, -2.2425281908e-6, -6.5171222895601e-7, -1.4341729937924e-13, -4.0516996860117e-7,
    -1.2734301741641e-9, -1.7424871230634e-10, -6.8762131295531e-19, 1.4478307828521e-20, 2.6335781662795e-23,
    -1.1947622640071e-23, 1.8228094581404e-24, -9.3537087292458e-26};

  function checkLiquid "Ends the run outside of region 1, and notes where the liquid would boil.
    Let pass are 0.1 K, and 1 % of the pressure, which is less than 0.4 K of the temperature at which it boils"
    input SI.Temperature T;
    input SI.Pressure p;
  algorithm
    assert(T > 273.05 and T < 623.25 and p < 100.1e6, "liquid water is there from 273.15 K to 623.15 K, up to 100 MPa, not at T = "
      + String(T, significantDigits = 8) + " K, p = " + String(p, significantDigits = 8) + " Pa");
    if T > 273.05 and T < 623.25 then
      assert(p > 0.99*Media.saturationPressure(T), "water boils at T = " + String(T, significantDigits = 8) + " K, p = "
        + String(p, significantDigits = 8) + " Pa: the values are those of a superheated liquid", AssertionLevel.warning);
    end if;
  end checkLiquid;

  function liquidDensity "Density of liquid water, 273.15 K to 623.15 K, up to 100 MPa"
    input SI.Temperature T;
    input SI.Pressure p;
    output SI.Density rho;
  protected
    Real pi = 7.1 - p/16.53e6, tau = 1386/T - 1.222;
    Real slope = 0 "of the dimensionless Gibbs energy, by p/16.53 MPa";
  algorithm
    checkLiquid(T, p);
    for k in 1:size(n1, 1) loop
      slope := slope - n1[k]*I1[k]*pi^(I1[k] - 1)*tau^J1[k];
    end for;
    rho := 16.53e6/(R*T*slope);
  end liquidDensity;

  function liquidEnthalpy "Enthalpy of liquid water, 273.15 K to 623.15 K, up to 100 MPa; u is 0 of the liquid at the triple point"
    input SI.Temperature T;
    input SI.Pressure p;
    output SI.SpecificEnthalpy h;
  protected
    Real pi = 7.1 - p/16.53e6, tau = 1386/T - 1.222;
    Real slope = 0 "of the dimensionless Gibbs energy, by 1386 K/T";
  algorithm
    checkLiquid(T, p);
    for k in 1:size(n1, 1) loop
      slope := slope + n1[k]*pi^I1[k]*J1[k]*tau^(J1[k] - 1);
    end for;
    h := R*1386*slope;
  end liquidEnthalpy;

  // ---------------------------------------------------------------- region 2: steam, up to 1073.15 K and 100 MPa

  constant Integer J0[9] = {0, 1, -5, -4, -3, -2, -1, 2, 3} "Table 10";
  constant Real n0[9] = {
    -9.6927686500217, 10.086655968018, -0.005608791128302, 0.071452738081455, -0.40710498223928, 1.4240819171444,
    -4.383951131945, -0.28408632460772, 0.021268463753307};
  constant Integer I2[43] = {
    1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 6, 6, 7, 7, 7, 8, 8, 9, 10, 10, 10, 16, 16, 18, 20,
    20, 20, 21, 22, 23, 24, 24, 24} "Table 11";
  constant Integer J2[43] = {
    0, 1, 2, 3, 6, 1, 2, 4, 7, 36, 0, 1, 3, 6, 35, 1, 2, 3, 7, 3, 16, 35, 0, 11, 25, 8, 36, 13, 4, 10, 14, 29, 50,
    57, 20, 35, 48, 21, 53, 39, 26, 40, 58};
  constant Real n2[43] = {
    -0.0017731742473213, -0.017834862292358, -0.045996013696365, -0.057581259083432, -0.05032527872793,
    -3.3032641670203e-5, -0.00018948987516315, -0.0039392777243355, -0.043797295650573, -2.6674547914087e-5,
    2.0481737692309e-8, 4.3870667284435e-7, -3.227767723857e-5, -0.0015033924542148, -0.040668253562649,
    -7.8847309559367e-10, 1.2790717852285e-8, 4.8225372718507e-7, 2.2922076337661e-6, -1.6714766451061e-11,
    -0.0021171472321355, -23.895741934104, -5.905956432427e-18, -1.2621808899101e-6, -0.038946842435739,
    1.1256211360459e-11, -8.2311340897998, 1.9809712802088e-8, 1.0406965210174e-19, -1.0234747095929e-13,
    -1.0018179379511e-9, -8.0882908646985e-11, 0.10693031879409, -0.33662250574171, 8.9185845355421e-25,
    3.0629316876232e-13, -4.2002467698208e-6, -5.9056029685639e-26, 3.7826947613457e-6, -1.2768608934681e-15,
    7.3087610595061e-29, 5.5414715350778e-17, -9.436970724121e-7};

  function checkSteam "Ends the run outside of region 2, and notes where the steam would condense"
    input SI.Temperature T;
    input SI.Pressure p;
  algorithm
    assert(T > 273.05 and T < 1073.25 and p >= 0 and p < 100.1e6, "steam is there from 273.15 K to 1073.15 K, up to 100 MPa, not at T = "
      + String(T, significantDigits = 8) + " K, p = " + String(p, significantDigits = 8) + " Pa");
    if T > 273.05 and T < 623.15 then
      assert(p < 1.01*Media.saturationPressure(T), "steam condenses at T = " + String(T, significantDigits = 8) + " K, p = "
        + String(p, significantDigits = 8) + " Pa: the values are those of a supercooled gas", AssertionLevel.warning);
    elseif T >= 623.15 and T < 863.15 then
      assert(p < 1.001*boundaryPressure(T), "dense steam, region 3, is not there: T = " + String(T, significantDigits = 8) + " K, p = "
        + String(p, significantDigits = 8) + " Pa");
    end if;
  end checkSteam;

  function steamDensity "Density of steam, 273.15 K to 1073.15 K, up to 100 MPa"
    input SI.Temperature T;
    input SI.Pressure p;
    output SI.Density rho;
  protected
    Real pi = p/1e6, tau = 540/T - 0.5;
    Real z = 1 "p/(rho R T)";
  algorithm
    checkSteam(T, p);
    for k in 1:size(n2, 1) loop
      z := z + n2[k]*I2[k]*pi^I2[k]*tau^J2[k];
    end for;
    rho := p/(R*T*z);
  end steamDensity;

  function steamEnthalpy "Enthalpy of steam, 273.15 K to 1073.15 K, up to 100 MPa; u is 0 of the liquid at the triple point"
    input SI.Temperature T;
    input SI.Pressure p;
    output SI.SpecificEnthalpy h;
  protected
    Real pi = p/1e6, tau = 540/T;
    Real slope = 0 "of the dimensionless Gibbs energy, by 540 K/T";
  algorithm
    checkSteam(T, p);
    for k in 1:size(n0, 1) loop
      slope := slope + n0[k]*J0[k]*tau^(J0[k] - 1);
    end for;
    for k in 1:size(n2, 1) loop
      slope := slope + n2[k]*pi^I2[k]*J2[k]*(tau - 0.5)^(J2[k] - 1);
    end for;
    h := R*540*slope;
  end steamEnthalpy;

  function boundaryPressure "Above it the steam is dense, region 3, which is not here: 623.15 K to 863.15 K, Eq. 5"
    input SI.Temperature T;
    output SI.Pressure p = 1e6*(348.05185628969 - 1.1671859879975*T + 0.0010192970039326*T^2);
  algorithm
    assert(T > 623.05 and T < 863.25, "the boundary of dense steam is there from 623.15 K to 863.15 K, not at T = " + String(T, significantDigits = 8) + " K");
  end boundaryPressure;
end Water;
