model Signals "blocks of signals against closed forms"
  import Daedal.Blocks.*;
  import Modelica.Constants.pi;
  Sine u(f = 0.5) "sin(pi*time)";
  Ramp r(height = 3, duration = 3) "time";
  Ramp jump(height = 2, duration = 0, startTime = 0.5) "a step";
  Constant one(k = 1), two(k = 2);
  Ramp r1(height = 3, duration = 3, offset = 1) "1 + time";
  Real s = sin(pi*time), t = time;
  // algebra
  Gain gain(k = 3);
  Add add(k1 = 2, k2 = -1);
  Add3 add3(k3 = 0.5);
  Feedback feedback;
  Sum sum(nin = 3, k = {1, 2, 3});
  Product product;
  Division division;
  Abs absolute;
  Sign signum;
  Sqrt root;
  Min least;
  Max most;
  Real error_jump = jump.y - (if time < 0.5 then 0 else 2);
  Real error_algebra[12] = {gain.y - 3*s, add.y - 2*s + t, add3.y - s - t - 0.5, feedback.y - s + t, sum.y - s - 2*t - 3, product.y - s*t,
    division.y - s, absolute.y - (if mod(t, 2) < 1 then s else -s), signum.y*s - absolute.y, root.y^2 - t, least.y - min(s, t), most.y - max(s, t)};
  // dynamics: steps of first and second order, in each form
  Integrator integral(k = 2, y_start = 1);
  Derivative slope(k = 3, T = 0.5);
  FirstOrder first(k = 2, T = 0.5, y_start = 0);
  SecondOrder second(k = 1, w = sqrt(10), D = 1/sqrt(10));
  TransferFunction same(b = {10}, a = {1, 2, 10});
  TransferFunction proper(b = {2, 1}, a = {4, 2}) "1/2 at once, and 0.5 in the end";
  TransferFunction constant_ratio(b = {3}, a = {2});
  StateSpace space(A = [0, 1; -10, -2], B = [0; 10], C = [1, 0; 0, 1], D = [0.5; 0]);
  PI pi_block(k = 2, T = 4);
  PID pid(k = 2, Ti = 4, Td = 0.5, Nd = 2);
  Real step2 = 1 - exp(-t)*(cos(3*t) + sin(3*t)/3);
  Real error_dynamics[10] = {integral.y - 1 - 2*(1 - cos(pi*t))/pi, slope.y - 3*(1 - exp(-2*t)), first.y - 4*(1 - exp(-2*t)),
    second.y - step2, same.y - step2, proper.y - 0.5, constant_ratio.y - 3, space.y[2] - exp(-t)*sin(3*t)*10/3,
    pi_block.y - 2*(1 + t/4), pid.y - 2*(t + t^2/8 + 0.5*(1 - exp(-4*t)))};
  Real error_space = space.y[1] - 0.5 - step2;
  // limits
  Limiter limiter(uMax = 0.5, uMin = -0.25);
  VariableLimiter variable;
  DeadZone dead(uMax = 0.5, uMin = -0.25);
  LimIntegrator limited(outMax = 0.5, outMin = -10, k = pi);
  SlewRateLimiter slew(Rising = 0.5, Td = 1e-3);
  Real error_limits[4] = {limiter.y - min(0.5, max(-0.25, s)), variable.y - min(t, s),
    dead.y - max(0, s - 0.5) - min(0, s + 0.25),
    limited.y - (if t < 1/3.0 then 1 - cos(pi*t) elseif t < 1 then 0.5 else -0.5 - cos(pi*t))};
  Real error_slew = slew.y - 1 - (if t < 1e-3*log(2) then t - 1e-3*(1 - exp(-1e3*t)) else 0.5*t + 5e-4*(log(2) - 1));
  // delay, sampling, tables
  FixedDelay delayed(delayTime = 0.5);
  Sampler sampler(samplePeriod = 0.25, startTime = 0.5);
  ZeroOrderHold hold(samplePeriod = 0.25, startTime = 0.5, y_start = 7);
  UnitDelay unit(samplePeriod = 0.25, startTime = 0.5, y_start = 7);
  Table1D table(table = [-1, 2; 0, 1; 1, 4]);
  Real n = floor(4*time)/4 "the last time of a sample";
  Real error_sampled[5] = {delayed.y - (if t < 0.5 then 0 else sin(pi*(t - 0.5))), sampler.y - (if t < 0.5 then 1 else 1 + n),
    hold.y - (if t < 0.5 then 7 else sin(pi*n)), unit.y - (if t < 0.75 then 7 else sin(pi*(n - 0.25))), table.y - (if s < 0 then 1 - s else 1 + 3*s)};
equation
  connect(u.y, gain.u);
  connect(u.y, add.u1);
  connect(r.y, add.u2);
  connect(u.y, add3.u1);
  connect(r.y, add3.u2);
  connect(one.y, add3.u3);
  connect(u.y, feedback.u1);
  connect(r.y, feedback.u2);
  connect(u.y, sum.u[1]);
  connect(r.y, sum.u[2]);
  connect(one.y, sum.u[3]);
  connect(u.y, product.u1);
  connect(r.y, product.u2);
  connect(u.y, division.u1);
  connect(one.y, division.u2);
  connect(u.y, absolute.u);
  connect(u.y, signum.u);
  connect(r.y, root.u);
  connect(u.y, least.u1);
  connect(r.y, least.u2);
  connect(u.y, most.u1);
  connect(r.y, most.u2);
  connect(u.y, integral.u);
  connect(r1.y, slope.u);
  connect(two.y, first.u);
  connect(one.y, second.u);
  connect(one.y, same.u);
  connect(one.y, proper.u);
  connect(two.y, constant_ratio.u);
  connect(one.y, space.u[1]);
  connect(one.y, pi_block.u);
  connect(r.y, pid.u);
  connect(u.y, limiter.u);
  connect(u.y, variable.u);
  connect(r.y, variable.limit1);
  variable.limit2 = -5;
  connect(u.y, dead.u);
  connect(u.y, limited.u);
  connect(r1.y, slew.u);
  connect(u.y, delayed.u);
  connect(r1.y, sampler.u);
  connect(u.y, hold.u);
  connect(u.y, unit.u);
  connect(u.y, table.u);
  annotation(experiment(StopTime = 3));
end Signals;
