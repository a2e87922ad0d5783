model Attemperator "Water cools steam: the PI controller asks for more than the valve can give"
  // C. Bendtsen & P. G. Thomsen (eds.), IMM-REP-1999-8, Sec. 10.2.3; the parameters are not theirs
  parameter Real ms(unit = "kg/s") = 10 "steam inflow", Ti(unit = "K") = 793.15 "its temperature";
  parameter Real TSP(unit = "K") = 753.15 "set point of the outlet";
  parameter Real cp(unit = "J/(kg.K)") = 2300 "steam", R(unit = "J/(kg.K)") = 440, p(unit = "Pa") = 6e6, V(unit = "m3") = 2;
  parameter Real dh(unit = "J/kg") = 2.4e6 "from the water to steam of temperature TSP";
  parameter Real pw(unit = "Pa") = 8e6 "water before the valve", v1(unit = "m3/kg") = 1.2e-3, Cv(unit = "m2") = 6e-6;
  parameter Real kA(unit = "W/K") = 4000, C(unit = "J/K") = 8e5 "heat capacity of the wall";
  parameter Real Kp(unit = "1/K") = 0.02, KI(unit = "1/(K.s)") = 1.8e-4;
  Real To(unit = "K", start = 753.15, fixed = true, nominal = 700) "at the outlet";
  Real Tm(unit = "K", start = 753.15, fixed = true, nominal = 700) "of the wall";
  Real M(unit = "kg", nominal = 30) "mass of steam", mo(unit = "kg/s", nominal = 10) "outflow";
  Real e(unit = "K") = To - TSP, mp = Kp*e, mI(start = 0, fixed = true), za = mp + mI "asked for";
  Real zc = if za > 1 then 1 elseif za < 0 then 0 else za "opening of the valve";
  Real zs = if za <= 1 then 1 - za else za - 1 "switch variable";
  Real mw(unit = "kg/s", nominal = 0.1) = Cv*zc*sqrt((pw - p)/v1) "water";
equation
  M = V*p/(R*To);
  der(M) = ms + mw - mo;
  M*cp*der(To) = ms*cp*(Ti - To) - mw*(dh + cp*(To - TSP)) - kA*(To - Tm);
  C*der(Tm) = kA*(To - Tm);
  der(mI) = KI*e;
  annotation(experiment(StopTime = 600, Tolerance = 1e-8));
end Attemperator;
