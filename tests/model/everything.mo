model Everything "most of the language in one text; damaged in all ways by mutations.c"
  type Color = enumeration(red "r", green, blue);
  type Voltage = Real(unit = "V", nominal = 10, start = 3, min = -100, max = 100);
  type Field = Voltage[3](each start = 1);
  record Point "r"
    Real x(start = 1), y = 2*x;
    parameter Integer k = 2;
    final constant Real c[k] = {k, 3};
  end Point;
  record Pair Real x; Real y; end Pair;
  record Line
    Point from, to[2](each k = 2);
    Real u[to[1].k];
  end Line;
  function turn
    input Point p = Point(1, 2);
    input Line l[:];
    output Point q;
    output Real s = l[end].to[2].y;
  protected
    Point w[2];
  algorithm
    w := {p, Point(x = p.y, y = -p.x)};
    if p.x > 1 then
      q := w[2];
    else
      q.x := w[1].x;
      q.y := sum(w.y);
    end if;
    q.k := p.k;
  end turn;
  partial function Map input Real u; output Real y; end Map;
  function scaled input Real u; input Real a = 1; output Real y = a*u; end scaled;
  function twice input Map f = cos; input Real u = 1; output Real y; algorithm y := f(f(u = u)); end twice;
  function horner "polynomial"
    input Real c[:];
    input Real x = 2;
    output Real y;
    output Integer degree;
  protected
    Real sum[size(c, 1)];
  algorithm
    y := 0;
    for i in 1:size(c, 1) loop
      y := y*x + c[i];
      sum[i] := y;
      if i > 100 then
        break;
      end if;
    end for;
    if x > 1 then
      y := y + sum[end];
    elseif x > 0 then
      y := y - 1;
    else
      assert(x > -10, "x is " + String(x));
    end if;
    degree := size(c, 1) - 1;
  end horner;
  constant Real pi = 3.14159;
  parameter Integer n = 3, m = integer(2.7);
  parameter Boolean useIt = n > 2 and not false or m == 2;
  parameter Color c = Color.green;
  parameter String s = "a\"b\\c";
  parameter Real A[:, :] = [1, 2; 3, 4; 5, 6];
  parameter Real B[2, size(A, 1)] = transpose(A);
  parameter Real k[:] = {i^2 for i in 1:n};
  parameter Real H[:, :] = {i + 10*j for i in 1:2, j in 1:3};
  parameter Real byColor[Color] = {if e == Color.red then 1 else 2 for e in Color}, byTruth[Boolean, 2] = {{1, 2}, {3, 4}};
  parameter Real mapped = twice(scaled, 2) + twice(function scaled(a = m), u = 3) + twice(function twice(f = sin));
  discrete String word(start = s, fixed = true), words[Color](each start = "w");
  parameter Real unset(start = 4), free(fixed = false, start = 0.5);
  parameter Real e1 = if useIt then 1/n else 1/0;
  final parameter Real f = mod(-5, 3) + rem(-5, 3)*10 + div(-5, 3)*100;
  Voltage v(start = 5), 'quoted name.x[1]'(fixed = true, stateSelect = StateSelect.prefer);
  Field w, z[2];
  Real x[n], y[2, 3](each fixed = true), q = 3;
  Real M[3, 3] = A*B;
  Real t1 = max(k), t2 = sum(k[i]*i for i in 1:n), t3 = product(k), t4 = min(e for e in k);
  Real t7 = byColor[c] + byTruth[useIt, 1] + byTruth[time > 1, end] + sum(byColor[Color.red:Color.green]) + (if word == s then 1 else 2);
  Real t5 = if c == Color.green then 1 else 2, t6 = if s == "a" then 1 else 2;
  Real d, deg, alg[2];
  Line line(from(x = 1, y(unit = "m")), to.x = {1, 2}, u = {3, 4});
  parameter Point p0 = Point(3, 4), ps[:] = {p0, Point(y = 1, x = 2)};
  Point pt, us[2](each y(start = 3) = 2, x = {1, 2});
  Pair flat[2](each y.start = 2);
  Real turned = (turn(p0, {line})).y + ps[2].x, a.b.x = 1, a.b.y = 2;
protected
  Real g(quantity = "G", displayUnit = "mV") "a comment" annotation(Dialog(tab = "x"));
initial equation
  if useIt then
    v = 1;
  else
    v = 2;
    q = 3;
  end if;
  free = 2*unset;
equation
  der(v) = noEvent(if time > 1 then 2 else 3) - free*v;
  w = {1, 2, 3} .* w .+ 1 ./ 2;
  z = {{1, 2, 3}, {4, 5, 6}} - z;
  pt.x = v;
  flat = if v > 1 then {Pair(1, 2), Pair(v, 2)} else fill(Pair(2, 2), 2);
  x = A[:, 1]*v - B[2, end:-1:1] + vector(A[:, 2:2]);
  y[1, :] = x;
  y[2, {3, 1, 2}] = 2*cross(x, {1, 0, 0}) + skew(x)*x;
  (d, deg) = horner({1, -2, 3}, x = v);
  if v > 2 then
    g = abs(v);
  elseif v > 1 and time < 3 then
    g = smooth(0, max(v, 2)^2.5);
  else
    g = semiLinear(v, 1, 2) + (A*B)[2, 1];
  end if;
  der('quoted name.x[1]') = homotopy(actual = sin(time), simplified = 0) - atan2(g, 1)^2;
  when v > 2 then
    word = if q > 2 then "big" else pre(word);
    words = {word, "a", s};
  end when;
  for i in 1:2 loop
    assert(alg[i] > -1e6, "alg", AssertionLevel.warning);
  end for;
algorithm
  alg := fill(0, 2);
  for i in 1:3, j in 1:2 loop
    alg[j] := alg[j] + i*x[i];
  end for;
  if v > 3 then
    alg[1] := linspace(0, 1, 3)*{1, 2, 3};
  end if;
annotation(Icon(graphics = {Text(x = "a;b)")}), experiment(StartTime = 0, StopTime = 2*n, Tolerance = 1e-7));
end Everything;
