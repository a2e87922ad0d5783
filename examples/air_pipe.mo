model AirPipe "Hot air heats a cold pipe; the heat flow follows the logarithmic mean temperature difference"
  // C. Bendtsen & P. G. Thomsen (eds.), IMM-REP-1999-8, Sec. 10.2.2; the parameters are not theirs
  parameter Real R(unit = "J/(kg.K)") = 287, cp(unit = "J/(kg.K)") = 1005, cv = cp - R;
  parameter Real p(unit = "Pa") = 1e5, V(unit = "m3") = 0.05;
  parameter Real mi(unit = "kg/s") = 0.05 "inflow", Ti(unit = "K") = 373.15 "its temperature";
  parameter Real kA(unit = "W/K") = 40, C(unit = "J/K") = 2000 "heat capacity of the wall";
  Real M(unit = "kg", nominal = 0.05) "mass of air", mo(unit = "kg/s", nominal = 0.05) "outflow";
  Real U(unit = "J", nominal = 1e4) "internal energy", Q(unit = "W", nominal = 1000) "heat flow to the wall";
  Real To(unit = "K", start = 303.15, fixed = true, nominal = 300) "at the outlet";
  Real Ts(unit = "K", start = 293.15, fixed = true, nominal = 300) "of the wall";
  Real T(unit = "K", nominal = 300) "mean of the air";
equation
  der(M) = mi - mo;
  mi*cp*Ti - mo*cp*To - der(U) = Q;
  C*der(Ts) = Q;
  U = M*cv*T;
  T = (Ti + To)/2;
  M = V*p/(R*T);
  Q = kA*((Ti - Ts) - (To - Ts))/log((Ti - Ts)/(To - Ts));
  annotation(experiment(StopTime = 200, Tolerance = 1e-8));
end AirPipe;
