model SurgeTank "water power plant: tunnel, surge tank and a turbine that is shut within 20 s"
  parameter Real L = 4300 "m", Dt = 4.2 "m", As = 95 "m2", g = 9.81, f = 0.018, H = 160 "m";
  constant Real pi = 3.141592653589793;
  parameter Real At = pi*Dt^2/4;
  Real q(start = 32, fixed = true) "tunnel, m3/s", z(start = 140) "level, m", qt, opening, v, loss;
initial equation
  der(q) = 0;
equation
  v = q/At;
  loss = f*L/Dt*v*sqrt(v^2 + 1e-6)/(2*g);
  L/(g*At)*der(q) = H - z - loss;
  As*der(z) = q - qt;
  opening = 0.5*(1 - tanh((time - 60)/5));
  qt = 32*opening*sqrt(z/140);
  annotation(experiment(StopTime = 900));
end SurgeTank;
