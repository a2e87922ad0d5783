model Ring "ring oscillator of three CMOS inverters: ns, fF, uA, V; transistors after Enz, Krummenacher and Vittoz"
  parameter Real Kn = 300 "uA/V2", Kp = 120, Vn = 0.45, Vp = 0.42, Ut = 0.0259, n = 1.3, C = 12 "fF", Vdd = 1.2;
  Real v[3](start = {0.1, 0.9, 0.3}, each fixed = true), In[3], Ip[3], g[3] "inputs";
equation
  g = {v[3], v[1], v[2]};
  for k in 1:3 loop
    In[k] = 2*n*Kn*Ut^2*(log(1 + exp((g[k] - Vn)/(2*n*Ut)))^2 - log(1 + exp((g[k] - Vn - n*v[k])/(2*n*Ut)))^2);
    Ip[k] = 2*n*Kp*Ut^2*(log(1 + exp((Vdd - g[k] - Vp)/(2*n*Ut)))^2 - log(1 + exp((Vdd - g[k] - Vp - n*(Vdd - v[k]))/(2*n*Ut)))^2);
    C*der(v[k]) = Ip[k] - In[k];
  end for;
  annotation(experiment(StopTime = 1));
end Ring;
