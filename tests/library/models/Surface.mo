model Surface "tables of two arguments against the bilinear functions that they are"
  parameter Real x[:] = {0, 1, 3}, y[:] = {-1, 0, 2, 5};
  parameter Real z[3, 4] = {{x[i]^2 + 2*y[j] + x[i]*y[j] for j in 1:4} for i in 1:3};
  Real u = 5*time - 1, v = 3*sin(6*time), a = min(max(u, 0), 3), b = min(max(v, -1), 5);
  Real lines = Daedal.Tables.interpolate2(x, y, z, u, v);
  Real held = Daedal.Tables.interpolate2(x, y, z, u, v) annotation(__daedal(outside = "held"));
  Real steps = Daedal.Tables.interpolate2(x, y, z, u + 1e-6, 2.5) annotation(__daedal(interpolation = "steps"));
  Real error_lines = lines - ((if u < 1 then u else 4*u - 3) + 2*v + u*v);
  Real error_held = held - ((if a < 1 then a else 4*a - 3) + 2*b + a*b);
  Real error_steps = steps - (if time < 0.4 then 4 elseif time < 0.8 then 7 else 19);
  Real q(start = 0, fixed = true), error_q;
equation
  der(q) = lines;
  /* its integral: that of u + 4 (u - 1) + ... piece by piece, of v, and of u v by parts */
  error_q = q - ((if time < 0.4 then 5*time^2/2 - time else 5*0.16/2 - 0.4 + (20*time^2/2 - 7*time) - (20*0.16/2 - 7*0.4))
    + (1 - cos(6*time)) + (time*(-15*cos(6*time)/6) + 15*sin(6*time)/36) - (1 - cos(6*time))/2);
  annotation(experiment(StopTime = 1));
end Surface;
