model BreakingPendulum "the rod breaks at a force of 20; after it there is no constraint, and the force is 0"
  parameter Real g = 9.81;
  Real x(start = 1, fixed = true), y(start = 0), u, v(start = 0, fixed = true), T "force in the rod";
  Boolean broken(start = false, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -T*x;
  der(v) = -T*y - g;
  when T > 20 then
    broken = true;
  end when;
  if broken then
    T = 0;
  else
    x^2 + y^2 = 1;
  end if;
end BreakingPendulum;
