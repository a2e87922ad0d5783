model Logic "controllers with limits, comparisons, and what switches, against closed forms"
  import Daedal.Blocks.*;
  import Modelica.Constants.pi;
  Sine u(f = 0.5) "sin(pi*time)";
  Ramp r(height = 4, duration = 4) "time";
  Constant one(k = 1), two(k = 2);
  Real s = sin(pi*time), t = time;
  // a PI controller runs into its limit at 1 s, from where its integral is led to 1.9; a PID controller without limits
  LimPID pi_block(k = 1, Ti = 1, yMax = 2, Ni = 0.9);
  LimPID pid(k = 2, Ti = 4, Td = 0.5, Nd = 2, wp = 0.5, yMax = 100);
  Real error_controllers[3] = {pi_block.I - (if t < 1 then t else 1 + 0.9*(1 - exp((1 - t)/0.9))), pi_block.y - min(2, 1 + t),
    pid.y - 2*(0.5 - t + (t - t^2/2)/4 - 0.5*(1 - exp(-4*t)))};
  // relays: on from asin(0.6)/pi to 1 + asin(0.2)/pi
  Relay relay(uLow = -0.2, uHigh = 0.6, yOn = 3, yOff = -1);
  Hysteresis hysteresis(uLow = -0.2, uHigh = 0.6);
  Real rises = asin(0.6)/pi, falls = 1 + asin(0.2)/pi, into = mod(t, 2);
  Boolean on = into > rises and into < falls;
  Timer timer;
  BooleanToReal real(realTrue = 2);
  Switch switch;
  TriggeredSampler sampler(y_start = -7);
  Real error_relays[5] = {relay.y - (if on then 3 else -1), real.y - (if on then 2 else 0), timer.y - (if on then into - rises else 0),
    switch.y - (if on then s else 2), sampler.y - (if t < rises then -7 elseif t < 2 + rises then rises else 2 + rises)};
  // comparisons
  Greater greater;
  GreaterEqual greater_equal;
  Less less;
  LessEqual less_equal;
  GreaterThreshold above(threshold = 1.5);
  LessThreshold below(threshold = 1.5);
  Real error_comparisons[6] = {number(greater.y) - number(t > 2), number(greater_equal.y) - number(t >= 2), number(less.y) - number(t < 2),
    number(less_equal.y) - number(t <= 2), number(above.y) - number(t > 1.5), number(below.y) - number(t < 1.5)};
  // logic of p, true in the first 0.3 s of each second from 0.5 s on, and q, true from 2 s on
  BooleanPulse p(width = 30, period = 1, startTime = 0.5);
  BooleanStep q(startTime = 2);
  BooleanConstant yes;
  And both;
  Or either;
  Xor one_of;
  Not not_p;
  RSFlipFlop flip;
  Boolean is_p = t >= 0.5 and mod(t - 0.5, 1) < 0.3, is_q = t >= 2;
  Real error_logic[8] = {number(p.y) - number(is_p), number(q.y) - number(is_q), number(both.y) - number(is_p and is_q),
    number(either.y) - number(is_p or is_q), number(one_of.y) - number(is_p <> is_q), number(not_p.y) - number(not is_p),
    number(flip.Q) - number(t >= 0.5 and t < 2), number(flip.QI) - number(not (t >= 0.5 and t < 2))};
  Real area(start = 0, fixed = true) "what a pulse is too wide";
  Real error_area = area;
  Real error_yes = number(yes.y) - 1;
  function number
    input Boolean b;
    output Real y;
  algorithm
    y := if b then 1 else 0;
  end number;
equation
  der(area) = number(p.y) - number(is_p);
  connect(two.y, pi_block.u_s);
  connect(one.y, pi_block.u_m);
  connect(one.y, pid.u_s);
  connect(r.y, pid.u_m);
  connect(u.y, relay.u);
  connect(u.y, hysteresis.u);
  connect(hysteresis.y, timer.u);
  connect(hysteresis.y, real.u);
  connect(u.y, switch.u1);
  connect(hysteresis.y, switch.u2);
  connect(two.y, switch.u3);
  connect(hysteresis.y, sampler.trigger);
  connect(r.y, sampler.u);
  connect(r.y, greater.u1);
  connect(two.y, greater.u2);
  connect(r.y, greater_equal.u1);
  connect(two.y, greater_equal.u2);
  connect(r.y, less.u1);
  connect(two.y, less.u2);
  connect(r.y, less_equal.u1);
  connect(two.y, less_equal.u2);
  connect(r.y, above.u);
  connect(r.y, below.u);
  connect(p.y, both.u1);
  connect(q.y, both.u2);
  connect(p.y, either.u1);
  connect(q.y, either.u2);
  connect(p.y, one_of.u1);
  connect(q.y, one_of.u2);
  connect(p.y, not_p.u);
  connect(p.y, flip.S);
  connect(q.y, flip.R);
  annotation(experiment(StopTime = 4));
end Logic;
