within Daedal;
package Blocks "Signals: sources, linear and nonlinear blocks, tables, sampling, logic"
  import Modelica.Units.SI;
  import Modelica.Constants.pi;

  // ---------------------------------------------------------------- connectors and what blocks have in common

  connector RealInput = input Real "Signal that comes in";
  connector RealOutput = output Real "Signal that goes out";
  connector BooleanInput = input Boolean "Signal that comes in, true or false";
  connector BooleanOutput = output Boolean "Signal that goes out, true or false";

  partial block SO "Source of a signal"
    RealOutput y "Output";
  end SO;

  partial block SignalSource "Source that begins at startTime and is offset before"
    extends SO;
    parameter Real offset = 0 "Before startTime, and added after it";
    parameter SI.Time startTime = 0 "The signal begins here";
  end SignalSource;

  partial block SISO "Block with one input and one output"
    RealInput u "Input";
    RealOutput y "Output";
  end SISO;

  partial block SI2SO "Block with two inputs and one output"
    RealInput u1 "First input";
    RealInput u2 "Second input";
    RealOutput y "Output";
  end SI2SO;

  partial block BooleanSource "Source of a Boolean signal"
    BooleanOutput y "Output";
  end BooleanSource;

  partial block Comparison "Block that compares two signals"
    RealInput u1 "First input";
    RealInput u2 "Second input";
    BooleanOutput y "Output";
  end Comparison;

  partial block ThresholdComparison "Block that compares a signal with a number"
    parameter Real threshold = 0 "What u is compared with";
    RealInput u "Input";
    BooleanOutput y "Output";
  end ThresholdComparison;

  partial block BooleanSI2SO "Block with two Boolean inputs"
    BooleanInput u1 "First input";
    BooleanInput u2 "Second input";
    BooleanOutput y "Output";
  end BooleanSI2SO;

  // ---------------------------------------------------------------- algebra

  block Gain "y = k*u"
    extends SISO;
    parameter Real k(start = 1) "Gain";
  equation
    y = k*u;
  end Gain;

  block Add "y = k1*u1 + k2*u2"
    extends SI2SO;
    parameter Real k1 = 1 "Gain of u1";
    parameter Real k2 = 1 "Gain of u2";
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Add3 "y = k1*u1 + k2*u2 + k3*u3"
    parameter Real k1 = 1 "Gain of u1";
    parameter Real k2 = 1 "Gain of u2";
    parameter Real k3 = 1 "Gain of u3";
    RealInput u1 "First input";
    RealInput u2 "Second input";
    RealInput u3 "Third input";
    RealOutput y "Output";
  equation
    y = k1*u1 + k2*u2 + k3*u3;
  end Add3;

  block Feedback "y = u1 - u2"
    extends SI2SO;
  equation
    y = u1 - u2;
  end Feedback;

  block Sum "y = k*u, the weighted sum of nin inputs"
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Real k[nin] = ones(nin) "Gain of each input";
    RealInput u[nin] "Inputs";
    RealOutput y "Output";
  equation
    y = k*u;
  end Sum;

  block Product "y = u1*u2"
    extends SI2SO;
  equation
    y = u1*u2;
  end Product;

  block Division "y = u1/u2"
    extends SI2SO;
  equation
    y = u1/u2;
  end Division;

  block Abs "y = abs(u)"
    extends SISO;
  equation
    y = abs(u);
  end Abs;

  block Sign "y = sign(u): 1, 0 or -1"
    extends SISO;
  equation
    y = sign(u);
  end Sign;

  block Sqrt "y = sqrt(u)"
    extends SISO;
  equation
    y = sqrt(u);
  end Sqrt;

  block Min "y = min(u1, u2)"
    extends SI2SO;
  equation
    y = min(u1, u2);
  end Min;

  block Max "y = max(u1, u2)"
    extends SI2SO;
  equation
    y = max(u1, u2);
  end Max;

  // ---------------------------------------------------------------- dynamics

  block Integrator "der(y) = k*u; y starts at y_start"
    extends SISO(y(start = y_start, fixed = true));
    parameter Real k(unit = "1/s") = 1 "Gain";
    parameter Real y_start = 0 "y at the start";
  equation
    der(y) = k*u;
  end Integrator;

  block LimIntegrator "Integrator that stops at its limits, until k*u leads back: der(y) = k*u within them; y starts at y_start"
    extends SISO(y(start = y_start, fixed = true));
    parameter Real k(unit = "1/s") = 1 "Gain";
    parameter Real outMax(start = 1) "Largest output";
    parameter Real outMin = -outMax "Least output";
    parameter Real y_start = 0 "y at the start, within the limits";
  equation
    der(y) = if y < outMin and k*u < 0 or y > outMax and k*u > 0 then 0 else k*u;
  end LimIntegrator;

  block Derivative "Derivative with a lag (DT1): y = k*(u - x)/T, T*der(x) = u - x, i.e. k*s/(T*s + 1); it starts with y = 0"
    extends SISO;
    parameter Real k = 1 "Gain";
    parameter SI.Time T(min = 0) = 0.01 "Time constant; above 0";
    Real x(stateSelect = StateSelect.prefer) "u with a lag";
  initial equation
    x = u;
  equation
    T*der(x) = u - x;
    y = k*(u - x)/T;
  end Derivative;

  block FirstOrder "Lag of first order (PT1): T*der(y) + y = k*u; y_start is a guess of y"
    extends SISO(y(start = y_start));
    parameter Real k = 1 "Gain";
    parameter SI.Time T(start = 1) "Time constant";
    parameter Real y_start = 0 "Guess of y at the start; y(fixed = true) makes it a condition";
  equation
    T*der(y) + y = k*u;
  end FirstOrder;

  block SecondOrder "Lag of second order (PT2): der(der(y))/w^2 + 2*D*der(y)/w + y = k*u; y_start and yd_start are guesses"
    extends SISO(y(start = y_start));
    parameter Real k = 1 "Gain";
    parameter SI.AngularFrequency w(start = 1) "Angular frequency without damping";
    parameter Real D(start = 1) "Damping ratio";
    parameter Real y_start = 0 "Guess of y at the start";
    parameter Real yd_start = 0 "Guess of der(y) at the start";
    Real yd(start = yd_start) "Derivative of y";
  equation
    der(y) = yd;
    der(yd) = w*(w*(k*u - y) - 2*D*yd);
  end SecondOrder;

  block PI "PI controller: y = k*(u + x), der(x) = u/T; x_start is a guess of x"
    extends SISO;
    parameter Real k = 1 "Gain";
    parameter SI.Time T(min = 0, start = 1) "Time constant; above 0";
    parameter Real x_start = 0 "Guess of x at the start";
    Real x(start = x_start) "Integral of u/T";
  equation
    der(x) = u/T;
    y = k*(u + x);
  end PI;

  block PID "PID controller with a lag of its derivative: y = k*(u + I + D), der(I) = u/Ti, D = Td*s/(s*Td/Nd + 1)*u; it starts with D = 0"
    extends SISO;
    parameter Real k = 1 "Gain";
    parameter SI.Time Ti(min = 0, start = 0.5) "Time constant of the integral; above 0";
    parameter SI.Time Td(min = 0, start = 0.1) "Time constant of the derivative; above 0";
    parameter Real Nd(min = 0) = 10 "The lag of the derivative is Td/Nd";
    parameter Real xi_start = 0 "Guess of I at the start";
    Real I(start = xi_start) "Integral part";
    Derivative D(k = Td, T = Td/Nd) "Derivative part";
  equation
    der(I) = u/Ti;
    D.u = u;
    y = k*(u + I + D.y);
  end PID;

  block LimPID "PID controller with limits, a set point, and an integral that is led back while the output is limited (Astrom and Hagglund, PID Controllers, 1995, Sec. 3.5)"
    RealInput u_s "Set point";
    RealInput u_m "What is measured";
    RealOutput y "Output, between yMin and yMax";
    parameter Real k = 1 "Gain";
    parameter SI.Time Ti(min = 0) = 0.5 "Time constant of the integral; above 0";
    parameter SI.Time Td(min = 0) = 0 "Time constant of the derivative; 0 makes a PI controller";
    parameter Real yMax(start = 1) "Largest output";
    parameter Real yMin = -yMax "Least output";
    parameter Real wp(min = 0) = 1 "Weight of the set point in the proportional part";
    parameter Real wd(min = 0) = 0 "Weight of the set point in the derivative part";
    parameter Real Ni(min = 0) = 0.9 "The integral is led back with the time constant Ni*Ti";
    parameter Real Nd(min = 0) = 10 "The lag of the derivative is Td/Nd";
    parameter Real xi_start = 0 "I at the start";
    Real I(start = xi_start, fixed = true) "Integral part";
    Real D "Derivative part";
    Real v "What the output would be without limits";
    Derivative derivative(k = Td, T = Td/Nd) if Td > 0;
  protected
    RealOutput ud = wd*u_s - u_m;
    RealInput d;
    Gain none(k = 0) if not Td > 0;
  equation
    connect(ud, derivative.u);
    connect(derivative.y, d);
    connect(ud, none.u);
    connect(none.y, d);
    D = d;
    der(I) = (u_s - u_m)/Ti + (y - v)/(k*Ni*Ti);
    v = k*(wp*u_s - u_m + I + D);
    y = if v > yMax then yMax elseif v < yMin then yMin else v;
  end LimPID;

  block TransferFunction "y = (b[1]*s^nb + ... + b[end])/(a[1]*s^na + ... + a[end])*u, nb <= na, in controllable canonical form (T. Kailath, Linear Systems, 1980, Sec. 2.1)"
    extends SISO;
    parameter Real b[:] = {1} "Coefficients of the numerator by falling powers of s";
    parameter Real a[:] = {1} "Coefficients of the denominator by falling powers of s; a[1] is not 0";
    parameter Real x_start[size(a, 1) - 1] = zeros(nx) "Guess of x at the start";
    final parameter Integer nx = size(a, 1) - 1 "Order";
    Real x[nx](start = x_start) "States: x[nx] and its derivatives, the highest first";
  protected
    parameter Real bb[size(a, 1)] = cat(1, zeros(max(0, size(a, 1) - size(b, 1))), b) "Numerator, as long as the denominator";
    parameter Real d = bb[1]/a[1] "What passes at once";
  equation
    assert(size(b, 1) <= size(a, 1), "TransferFunction: the numerator has a higher power of s than the denominator");
    if nx == 0 then
      y = d*u;
    else
      der(x[1]) = (u - a[2:nx + 1]*x)/a[1];
      der(x[2:nx]) = x[1:nx - 1];
      y = (bb[2:nx + 1] - d*a[2:nx + 1])*x + d*u;
    end if;
  end TransferFunction;

  block StateSpace "der(x) = A*x + B*u, y = C*x + D*u; x_start is a guess of x"
    parameter Real A[:, size(A, 1)] "Matrix of the states";
    parameter Real B[size(A, 1), :] "Matrix of the inputs";
    parameter Real C[:, size(A, 1)] "Matrix of the outputs";
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)) "What passes at once";
    parameter Real x_start[size(A, 1)] = zeros(size(A, 1)) "Guess of x at the start";
    RealInput u[size(B, 2)] "Inputs";
    RealOutput y[size(C, 1)] "Outputs";
    Real x[size(A, 1)](start = x_start) "States";
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end StateSpace;

  block FixedDelay "y(t) = u(t - delayTime), and before delayTime u at the start"
    extends SISO;
    parameter SI.Time delayTime(min = 0, start = 1) "Delay";
  equation
    y = delay(u, delayTime);
  end FixedDelay;

  // ---------------------------------------------------------------- nonlinear blocks

  block Limiter "y = u within uMin to uMax, else the limit"
    extends SISO;
    parameter Real uMax(start = 1) "Upper limit";
    parameter Real uMin = -uMax "Lower limit";
  equation
    y = if u > uMax then uMax elseif u < uMin then uMin else u;
  end Limiter;

  block VariableLimiter "y = u within limit2 to limit1, else the limit"
    extends SISO;
    RealInput limit1 "Upper limit";
    RealInput limit2 "Lower limit";
  equation
    y = if u > limit1 then limit1 elseif u < limit2 then limit2 else u;
  end VariableLimiter;

  block DeadZone "y = 0 within uMin to uMax, u - uMax above, u - uMin below"
    extends SISO;
    parameter Real uMax(start = 1) "Upper end";
    parameter Real uMin = -uMax "Lower end";
  equation
    y = if u > uMax then u - uMax elseif u < uMin then u - uMin else 0;
  end DeadZone;

  block SlewRateLimiter "y follows u at most at the rates Rising and Falling: der(y) = (u - y)/Td between them; it starts with y = u"
    extends SISO;
    parameter Real Rising(min = 0, unit = "1/s") = 1 "Largest der(y)";
    parameter Real Falling(max = 0, unit = "1/s") = -Rising "Least der(y)";
    parameter SI.Time Td = 0.001 "Lag of y after u";
  protected
    Real rate = (u - y)/Td "What der(y) would be without limits";
  initial equation
    y = u;
  equation
    der(y) = if rate > Rising then Rising elseif rate < Falling then Falling else rate;
  end SlewRateLimiter;

  block Relay "y = yOn from where u rises above uHigh to where it falls below uLow, else yOff"
    extends SISO;
    parameter Real uLow = 0 "Switches off";
    parameter Real uHigh = 1 "Switches on; above uLow";
    parameter Real yOn = 1 "Output while it is on";
    parameter Real yOff = 0 "Output while it is off";
    parameter Boolean pre_on_start = false "Whether it is on before the start";
    Boolean on(start = pre_on_start, fixed = true) "It is on";
  equation
    on = u > uHigh or pre(on) and u >= uLow;
    y = if on then yOn else yOff;
  end Relay;

  block Table1D "y by a table of u: straight lines between the points, and beyond them"
    extends SISO;
    parameter Real table[:, 2] "Rows {u, y}; u ascends";
  equation
    y = Modelica.Math.Vectors.interpolate(table[:, 1], table[:, 2], u);
  end Table1D;

  // ---------------------------------------------------------------- sampling

  block Sampler "y = u at startTime, startTime + samplePeriod, ..., and keeps it in between (a zero-order hold); u at the start before"
    extends SISO;
    parameter SI.Time samplePeriod(min = 0, start = 0.1) "Period";
    parameter SI.Time startTime = 0 "First sample";
  protected
    discrete Real held "What was sampled last";
  initial equation
    pre(held) = u;
  equation
    when sample(startTime, samplePeriod) then
      held = u;
    end when;
    y = held;
  end Sampler;

  block ZeroOrderHold "y = u at startTime, startTime + samplePeriod, ..., and keeps it in between; y_start before"
    extends SISO;
    parameter SI.Time samplePeriod(min = 0, start = 0.1) "Period";
    parameter SI.Time startTime = 0 "First sample";
    parameter Real y_start = 0 "y before the first sample";
  protected
    discrete Real held(start = y_start, fixed = true) "What was sampled last";
  equation
    when sample(startTime, samplePeriod) then
      held = u;
    end when;
    y = held;
  end ZeroOrderHold;

  block UnitDelay "y is at each sample what u was at the one before; y_start before"
    extends SISO;
    parameter SI.Time samplePeriod(min = 0, start = 0.1) "Period";
    parameter SI.Time startTime = 0 "First sample";
    parameter Real y_start = 0 "y before and at the first sample";
  protected
    discrete Real last(start = y_start, fixed = true) "What was sampled last";
    discrete Real shown(start = y_start, fixed = true) "What was sampled one period earlier";
  equation
    when sample(startTime, samplePeriod) then
      last = u;
      shown = pre(last);
    end when;
    y = shown;
  end UnitDelay;

  block TriggeredSampler "y = u at the instants at which trigger becomes true, and keeps it in between; y_start before"
    extends SISO;
    BooleanInput trigger "Samples as it becomes true";
    parameter Real y_start = 0 "y before the first sample";
  protected
    discrete Real held(start = y_start, fixed = true) "What was sampled last";
  equation
    when trigger then
      held = u;
    end when;
    y = held;
  end TriggeredSampler;

  // ---------------------------------------------------------------- sources

  block Clock "y = offset + time - startTime, before startTime offset"
    extends SignalSource;
  equation
    y = offset + (if time < startTime then 0 else time - startTime);
  end Clock;

  block Constant "y = k"
    extends SO;
    parameter Real k(start = 1) "Value";
  equation
    y = k;
  end Constant;

  block Step "y = offset, from startTime on offset + height"
    extends SignalSource;
    parameter Real height = 1 "Height of the step";
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Ramp "y rises from offset at startTime to offset + height within duration"
    extends SignalSource;
    parameter Real height = 1 "Height of the ramp";
    parameter SI.Time duration(min = 0, start = 2) "Duration of the ramp; 0 makes a step";
  equation
    y = offset + (if time < startTime then 0 elseif time < startTime + duration then height*(if duration > 0 then (time - startTime)/duration else 1) else height);
  end Ramp;

  block Sine "y = offset + amplitude*sin(2*pi*f*(time - startTime) + phase), before startTime offset"
    extends SignalSource;
    parameter Real amplitude = 1 "Amplitude";
    parameter SI.Frequency f(start = 1) "Frequency";
    parameter SI.Angle phase = 0 "Phase at startTime";
  equation
    y = offset + (if time < startTime then 0 else amplitude*sin(2*pi*f*(time - startTime) + phase));
  end Sine;

  block Pulse "y = offset + amplitude in the first width percent of each period from startTime on, else offset"
    extends SignalSource;
    parameter Real amplitude = 1 "Height of the pulses";
    parameter Real width(min = 0, max = 100) = 50 "Width of the pulses in percent of the period";
    parameter SI.Time period(start = 1) "Period";
  protected
    discrete SI.Time rise "The last pulse began here";
  initial equation
    pre(rise) = startTime + period*floor((time - startTime)/period);
  equation
    when sample(startTime, period) then
      rise = time;
    end when;
    y = offset + (if time < startTime or time >= rise + width/100*period then 0 else amplitude);
  end Pulse;

  block SawTooth "y rises from offset to offset + amplitude in each period from startTime on"
    extends SignalSource;
    parameter Real amplitude = 1 "Height of the teeth";
    parameter SI.Time period(start = 1) "Period";
  protected
    discrete SI.Time rise "The last tooth began here";
  initial equation
    pre(rise) = startTime + period*floor((time - startTime)/period);
  equation
    when sample(startTime, period) then
      rise = time;
    end when;
    y = offset + (if time < startTime then 0 else amplitude*(time - rise)/period);
  end SawTooth;

  block TimeTable "y by a table of times: straight lines between the points; the first value is held before them, the last one after them"
    extends SO;
    parameter Real table[:, 2] "Rows {time in s, y}; the times ascend, two equal ones are a jump";
    parameter Real offset = 0 "Added to the table";
    parameter SI.Time startTime = 0 "Added to the times of the table";
  equation
    y = offset + Modelica.Math.Vectors.interpolate(table[:, 1], table[:, 2], time - startTime)
      annotation(__daedal(outside = "held"));
  end TimeTable;

  block BooleanConstant "y = k"
    extends BooleanSource;
    parameter Boolean k = true "Value";
  equation
    y = k;
  end BooleanConstant;

  block BooleanStep "y = startValue, from startTime on the other one"
    extends BooleanSource;
    parameter SI.Time startTime = 0 "Of the step";
    parameter Boolean startValue = false "Value before startTime";
  equation
    y = if time >= startTime then not startValue else startValue;
  end BooleanStep;

  block BooleanPulse "y is true in the first width percent of each period from startTime on"
    extends BooleanSource;
    parameter Real width(min = 0, max = 100) = 50 "Width of the pulses in percent of the period";
    parameter SI.Time period(start = 1) "Period";
    parameter SI.Time startTime = 0 "The first pulse begins here";
  protected
    discrete SI.Time rise "The last pulse began here";
  initial equation
    pre(rise) = startTime + period*floor((time - startTime)/period);
  equation
    when sample(startTime, period) then
      rise = time;
    end when;
    y = time >= startTime and time < rise + width/100*period;
  end BooleanPulse;

  // ---------------------------------------------------------------- logic

  block Greater "y = u1 > u2"
    extends Comparison;
  equation
    y = u1 > u2;
  end Greater;

  block GreaterEqual "y = u1 >= u2"
    extends Comparison;
  equation
    y = u1 >= u2;
  end GreaterEqual;

  block Less "y = u1 < u2"
    extends Comparison;
  equation
    y = u1 < u2;
  end Less;

  block LessEqual "y = u1 <= u2"
    extends Comparison;
  equation
    y = u1 <= u2;
  end LessEqual;

  block GreaterThreshold "y = u > threshold"
    extends ThresholdComparison;
  equation
    y = u > threshold;
  end GreaterThreshold;

  block LessThreshold "y = u < threshold"
    extends ThresholdComparison;
  equation
    y = u < threshold;
  end LessThreshold;

  block Hysteresis "y becomes true as u rises above uHigh, and false as it falls below uLow"
    parameter Real uLow(start = 0) "Becomes false below";
    parameter Real uHigh(start = 1) "Becomes true above; above uLow";
    parameter Boolean pre_y_start = false "y before the start";
    RealInput u "Input";
    BooleanOutput y(start = pre_y_start, fixed = true) "Output";
  equation
    y = u > uHigh or pre(y) and u >= uLow;
  end Hysteresis;

  block And "y = u1 and u2"
    extends BooleanSI2SO;
  equation
    y = u1 and u2;
  end And;

  block Or "y = u1 or u2"
    extends BooleanSI2SO;
  equation
    y = u1 or u2;
  end Or;

  block Xor "y = u1 <> u2"
    extends BooleanSI2SO;
  equation
    y = u1 <> u2;
  end Xor;

  block Not "y = not u"
    BooleanInput u "Input";
    BooleanOutput y "Output";
  equation
    y = not u;
  end Not;

  block RSFlipFlop "Q is set by S and reset by R, which counts where both hold; QI = not Q"
    parameter Boolean Qini = false "Q before the start";
    BooleanInput S "Sets";
    BooleanInput R "Resets";
    BooleanOutput Q(start = Qini, fixed = true) "Output";
    BooleanOutput QI "Not Q";
  equation
    Q = not R and (S or pre(Q));
    QI = not Q;
  end RSFlipFlop;

  block Switch "y = if u2 then u1 else u3"
    RealInput u1 "Taken where u2 is true";
    BooleanInput u2 "Chooses";
    RealInput u3 "Taken where u2 is false";
    RealOutput y "Output";
  equation
    y = if u2 then u1 else u3;
  end Switch;

  block Timer "y is the time since u became true, and 0 where it is false"
    BooleanInput u "Input";
    RealOutput y(unit = "s") "Time";
  protected
    discrete SI.Time entry(start = 0, fixed = true) "u became true here";
  equation
    when {u, u and initial()} then
      entry = time;
    end when;
    y = if u then time - entry else 0;
  end Timer;

  block BooleanToReal "y = realTrue where u is true, else realFalse"
    parameter Real realTrue = 1 "y where u is true";
    parameter Real realFalse = 0 "y where u is false";
    BooleanInput u "Input";
    RealOutput y "Output";
  equation
    y = if u then realTrue else realFalse;
  end BooleanToReal;
end Blocks;
