"""daedal flatten, and models of components in the other subcommands."""
import json
import math
import unittest

from daedal import DECAY, CommandTest, folder, rows, run

CLASSES = """package Parts
  connector Pin Real v; flow Real i; end Pin;
  model Cell
    Pin a, b;
    parameter Real R = 1, C = 1;
    Real u(start = 0, fixed = true);
  equation
    u = b.v; a.v - b.v = R*a.i; a.i + b.i = C*der(u);
  end Cell;
  model Source Pin p; equation p.v = 1; end Source;
end Parts;
"""

LINE = """model Line
  parameter Integer n = 2;
  Parts.Cell c[n](each R = 0.5, C = {1.0*k for k in 1:n});
  Parts.Source s;
equation
  connect(s.p, c[1].a);
  for k in 1:n - 1 loop connect(c[k].b, c[k + 1].a); end for;
end Line;
model Other Parts.Cell c; Parts.Source s; equation connect(s.p, c.a); end Other;
"""

MODEL_A = "model A Real x = 1; end A;\n"
MODEL_B = "model B Real x = 1; end B;\n"


class Hierarchy(CommandTest):
    def test_flat_text_has_the_rows_of_its_model(self):
        with folder() as here:
            (here / "Parts.mo").write_text(CLASSES)
            (here / "Line.mo").write_text(LINE)
            flat = run(["flatten", "Line.mo", "-o", "flat.mo"], cwd=here)
            self.assertEqual((flat.code, flat.out, flat.err), (0, "", ""))
            of_model = run(["run", "Line.mo", "--points=5", "-q"], cwd=here)
            of_flat = run(["run", "flat.mo", "--points=5", "-q"], cwd=here)
            self.assertEqual(of_model, of_flat)
            self.assertEqual(of_model.code, 0, of_model.err)
            text = (here / "flat.mo").read_text()
            self.assertEqual(run(["flatten", "flat.mo"], cwd=here).out, text)
            # another directory, another model, another number of cells
            other = run(["check", here / "Line.mo", "--model", "Other"])
            self.assert_says(other.out, "Other: 7 equations, 7 unknowns")
            header, _ = rows(run(["run", here / "Line.mo", "--set=n=4", "--points=2"]).out)
            self.assertIn("c[4].u", header)
            final = run(["run", "flat.mo", "--set=n=4"], cwd=here)
            self.assertEqual(final.code, 2)

    def test_packages_are_directories(self):
        with folder() as here:
            (here / "P" / "Q").mkdir(parents=True)
            (here / "P" / "package.mo").write_text("package P constant Real two = 2; end P;\n")
            (here / "P" / "Q" / "package.mo").write_text(
                "within P; package Q model B parameter Real k = two; Real x(start = 1, fixed = true);"
                "equation der(x) = -k*x; end B; end Q;\n"
            )
            (here / "P" / "Q" / "A.mo").write_text("within P.Q; model A extends B(k = 3*two); C c; end A;\n")
            (here / "P" / "Q" / "C.mo").write_text("within P.Q; model C Real y = two*time; end C;\n")
            (here / "M.mo").write_text("model M P.Q.A a; end M;\n")
            whole = run(["run", "M.mo", "--points=3", "--vars=a.x,a.c.y"], cwd=here)
            _, table = rows(whole.out)
            self.assertAlmostEqual(float(table[-1]["a.x"]), 2.718281828459045**-6, delta=1e-5)
            self.assertEqual(float(table[-1]["a.c.y"]), 2)
            # a class of a package is a model, too, wherever it is read from
            for path, where in (("P/Q/A.mo", here), ("A.mo", here / "P" / "Q"), ("Q/A.mo", here / "P")):
                alone = run(["run", path, "--points=3", "--vars=x,c.y"], cwd=where)
                self.assertEqual(alone.code, 0, alone.err)
                self.assertEqual(alone.out.split("\n")[1:], whole.out.split("\n")[1:])
            for path, model in (("P/package.mo", "P.Q.A"), ("P/Q/package.mo", "Q.A")):
                inside = run(["run", path, "--model", model, "--points=3", "--vars=x,c.y"], cwd=here)
                self.assertEqual(inside.out.split("\n")[1:], whole.out.split("\n")[1:], inside.err)
            for name, word in (("P.R", "P has no class R"), ("P.Q.X.Y", "P.Q has no class X"),
                               ("Daedal.Nothing", "Daedal has no class Nothing"), ("R.S", "class R.S is not")):
                (here / "N.mo").write_text(f"model N {name} a; end N;")
                self.assert_refused(["check", here / "N.mo"], "N.mo:1:9", word, code=3)

    def test_a_string_chooses_components(self):
        """Its parameter is set to any text, which the flat text has in quotes."""
        text = MODEL_A + 'model M parameter String kind = "one"; A a if kind == "one"; A b if kind <> "one"; ' \
            'Real y = if kind == "a=\\"b\\"" then 2 else 1; end M;\n'
        for setting, wanted in ([], {"a.x": 1, "y": 1}), (["--set", 'kind=a="b"'], {"b.x": 1, "y": 2}):
            done = run(["run", "-", "--points", "2", *setting], text)
            self.assertEqual({name: x for name, x in rows(done.out)[1][-1].items() if name != "time"}, wanted)

    SIZED = """model M
          model C parameter Integer k[2] = {1, 2}; parameter Real q[2] = {3, 4}, R = 5; Real w[k[2]];
            Real x(start = 1, fixed = true), v[2](each start = 1, each fixed = true);
            equation der(x) = -R*x; der(v) = q*x; for i in 1:k[2] loop w[i] = i*k[1]*x; end for; end C;
          parameter Integer n[2, 2] = [1, 2; 3, 1]; parameter Boolean b[2] = {true, false};
          type E = enumeration(one, two); parameter E e[1] = {E.one}; final parameter Integer f[1] = {1};
          C c[n[1, 2]], d if b[2] and e[1] == E.two, g[f[1]];
        end M;"""

    def test_one_element_of_a_parameter_that_decides_a_structure_is_set(self):
        """The values are those of a model in which the number stands."""
        for setting, old, new in (
            ("n[1,2]=3", "[1, 2; 3, 1]", "[1, 3; 3, 1]"),
            ("c[1].k[2]=4", "C c[n[1, 2]]", "C c[n[1, 2]](k = {{1, 4}, {1, 2}})"),
            ("'n'[ 1, 2 ]=1", "[1, 2; 3, 1]", "[1, 1; 3, 1]"),
        ):
            other = self.SIZED.replace(old, new)
            self.assertNotEqual(other, self.SIZED)
            done = run(["run", "-", "--points=3", "-q", "--set", setting], self.SIZED)
            self.assertEqual(done, run(["run", "-", "--points=3", "-q"], other))
            self.assertEqual(done.code, 0)
        both = run(["run", "-", "--points=2", "-q", "--set=b[2]=true", "--set=e[1]=two"], self.SIZED)
        self.assertIn("d.x", rows(both.out)[0])
        for setting, words in (
            ("n[1,3]=3", ("there is no element n[1,3]: n is [2, 2]",)),
            ("n=3", ("n is an array [2, 2]: set its elements one by one",)),
            ("f[1]=3", ("f[1] is a final parameter",)),
        ):
            self.assert_refused(["run", "-", "--set", setting], *words, stdin=self.SIZED)
        self.assert_refused(["run", "-", "--set=n[1,2]=x"], "n[1, 2] decides", "set for it is x", code=3, stdin=self.SIZED)

    def test_flat_text_has_what_is_set(self):
        settings = [f"--set={setting}" for setting in ("n[1,2]=1", "b[2]=true", "e[1]=E.two", "c[1].R=7", "c[1].q[2]=-8",
                                                       "c[1].x=2", "c[1].v[2]=9", "d.x=3")]
        flat = run(["flatten", "-", *settings], self.SIZED)
        self.assertEqual((flat.code, flat.err), (0, ""))
        of_flat = run(["run", "-", "--points=3", "-q"], flat.out)
        self.assertEqual(of_flat, run(["run", "-", "--points=3", "-q", *settings], self.SIZED))
        self.assertEqual(of_flat.code, 0)
        again = run(["flatten", "-", "--set=c[1].R=6"], flat.out)  # also of a flat text
        self.assertIn("\n  parameter Real 'c[1].R' = 6;\n", again.out)
        self.assertEqual(run(["run", "-", "-q"], again.out), run(["run", "-", "-q", "--set=c[1].R=6"], flat.out))
        for setting, words in (("c[1].S=1", ("no parameter or variable is called c[1].S",)), ("f[1]=3", ("final",)),
                               ("c[1].R=x", ("expected a number",))):
            self.assert_refused(["flatten", "-", "--set", setting], *words, stdin=self.SIZED)

    LITERALS = """package P
      type Ph = enumeration(a, b, c);
      record V Real x = 1; Real y = 2; end V;
      model R
        parameter Integer n = 1; parameter Real R = 1; parameter Ph e = Ph.a; parameter V p; parameter Real k[Ph] = {1, 2, 3};
        Real v = R*time + p.x + (if e == Ph.b then k[Ph.c] else k[Ph.a]), w[n] = fill(time, n);
      end R;
      model M R r[Ph](R = {1, 2, 3}), s[Boolean]; parameter Ph e = Ph.a; Real z = if e == Ph.b then 1 else 2; end M;
    end P;"""

    def test_literals_are_subscripts_and_values(self):
        """The rows are those by numbers of the literals, also of the flat text that has the values."""
        for setting, number in (
            ("r[Ph.c].R=7", "r[3].R=7"),
            ("r[P.Ph.b].n=3", "r[2].n=3"),
            ("r[ b ].p.x=4", "r[2].p.x=4"),
            ("r[Ph.b].e=Ph.b", "r[2].e=b"),
            ("r[Ph.a].k[Ph.a]=9", "r[1].k[1]=9"),
            ("s[true].R=5", "s[2].R=5"),
            ("s[1].k[P.Ph.a]=5", "s[1].k[1]=5"),
            ("e=Ph.b", "e=P.Ph.b"),
        ):
            arguments = ["-", "--model=P.M", "--set"]
            done = run(["run", *arguments, setting, "-q", "--points=3"], self.LITERALS)
            self.assertEqual(done, run(["run", *arguments, number, "-q", "--points=3"], self.LITERALS), setting)
            self.assertNotEqual(done, run(["run", "-", "--model=P.M", "-q", "--points=3"], self.LITERALS), setting)
            self.assertEqual(done.code, 0)
            if ".p.x" in setting:
                continue
            flat = run(["flatten", *arguments, setting], self.LITERALS)
            self.assertEqual(run(["run", "-", "-q", "--points=3"], flat.out), done, setting)
        for setting in ("r[Qh.c].R=7", "r[Ph.d].R=7", "r[4].R=7", "s[Ph.a].R=1"):
            self.assert_refused(["run", "-", "--model=P.M", "--set", setting], "no parameter or variable", stdin=self.LITERALS)
        self.assert_refused(["run", "-", "--model=P.M", "--set=e=X.b"], "expected one of a, b, c", stdin=self.LITERALS)

    def test_names_that_would_be_one_are_two(self):
        model = "model M model C parameter Real k = 1; Real b = k*time; end C; C a; Real 'a.b' = 3; parameter Real 'a.k' = 5; Real y = 'a.k'; end M;"
        settings = ["--set=a.k=2", "--set='a.k'=7"]
        header, table = rows(run(["run", "-", "--points=2", *settings], model).out)
        self.assertEqual(table[-1], {"time": 1, "a.b": 2, "'a.b'": 3, "y": 7}, header)

    def test_a_variable_hides_a_constant_around_its_model(self):
        """What the package declares with the name goes on to mean it (Modelica 3.6, section 5.3.1)."""
        text = """package P
          constant Real k = 2, j = k + 1;
          function f input Real x; output Real y; algorithm y := k*x; end f;
          model M parameter Real k = 10; Real x = k + 100*j + 1000*f(1); end M;
        end P;"""
        done = run(["init", "-", "--json"], text)
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(json.loads(done.out)["values"]["x"], 10 + 300 + 2000)
        twice = run(["init", "-"], text.replace("M parameter", "M Real x; parameter"))
        self.assert_says(twice.err, "x is already declared in line 4")

    def test_a_dot_at_the_front_names_the_outermost_level(self):
        """Modelica 3.6, section 5.3.3."""
        text = """package A package B model C parameter Real k = 1; Real x = k*time; end C; constant Real w = 3; end B; end A;
          model M .A.B.C c(k = 2); Real y = .A.B.w*time; extends .A.B.C(k = 5);
            model A Real w = 7; end A; A a; end M;"""
        table = rows(run(["run", "-", "--model=M", "--points=2"], text).out)[1]
        self.assertEqual(table[-1], {"time": 1, "c.x": 2, "y": 3, "x": 5, "a.w": 7})

    def test_an_instance_knows_its_name(self):
        """Modelica 3.6, section 3.7.4.4."""
        text = """model Part parameter String name = getInstanceName(); Real x(start = 1, fixed = true); equation der(x) = -x;
          assert(x > 0.5, "gone: " + name + ", " + getInstanceName(), AssertionLevel.warning); end Part;
          model Whole Part p, q[2]; end Whole;"""
        for model, names in (("Whole", ["Whole.p", "Whole.q[1]", "Whole.q[2]"]), ("Part", ["Part"])):
            self.assert_says(run(["run", "-", f"--model={model}"], text).err, *(f"gone: {name}, {name}" for name in names))

    def test_functions_of_modelica_math(self):
        text = """model M import Modelica.Math.*; Real x = 1 + time, y = asinh(x), z = Modelica.Math.acosh(x + 1), w, q(start = 1.5);
          equation asinh(w) = 1 + time; acosh(q) = 0.5 + time; end M;"""
        table = rows(run(["run", "-", "--points=5", "--stop=2"], text).out)[1]
        for row in table:
            t = row["time"]
            wanted = {"y": math.asinh(1 + t), "z": math.acosh(2 + t), "w": math.sinh(1 + t), "q": math.cosh(0.5 + t)}
            for name, value in wanted.items():
                self.assert_near(row[name], value, 1e-12*abs(value))

    def test_an_annotation_without_effect_is_noted(self):
        model = """model N Real x(start = 1, fixed = true) annotation(__daedal(invariant = x)); equation der(x) = -x; end N;
          model M = N annotation(__daedal(invariant = x, interpolation = "steps"));"""
        done = run(["check", "-", "--model=M"], model)
        self.assertEqual(done.code, 0)
        self.assert_says(done.err, "invariant, which is ignored: it belongs to the annotation of a model", "invariant, which is "
                         "ignored: write the model in full", "interpolation, which is ignored: write the model in full")

    def test_tables_come_from_files(self):
        model = """model M
          model B parameter Real R; Real y = R*time; end B;
          import Daedal.Tables.*;
          parameter String file = "pump.csv";
          parameter Real all[:, :] = matrix(file), head[:] = column("pump.csv", "head");
          B b[size(column(file, "q"), 1)](R = column(file, "q"));
          Real sum_of_all = sum(all) + size(all, 1);
          Real h = Modelica.Math.Vectors.interpolate(column(file, "q"), head, time);
        end M;"""
        with folder() as here:
            (here / "pump.csv").write_text('\ufeff"q" ; head\n\n# a pump\n0; 24\r\n0.5;23.5\n1;21\n')
            (here / "map.csv").write_text("1\t2\n3\t4e1\n")
            (here / "m.mo").write_text(model)
            header, table = rows(run(["run", here / "m.mo", "--points=3"]).out)
            self.assertEqual(header, ["time", "b[1].y", "b[2].y", "b[3].y", "sum_of_all", "h"])
            last = [float(table[-1][name]) for name in header]
            self.assertEqual(last, [1, 0, 0.5, 1, 73, 21])
            flat = run(["flatten", here / "m.mo"]).out
            self.assertNotIn("csv\",", flat)
            self.assertIn("{24.0, 23.5, 21.0}", flat)
            for call, words in (
                ('column("pump.csv", "hed")', ("pump.csv has no column hed", "nearest name: head")),
                ('column("nothing.csv", "q")', ("nothing.csv cannot be read", "No such file")),
                ('column("map.csv", "q")', ("map.csv has no names, and no q",)),
                ('column("pump.csv")', ("needs the name of a file and of a column",)),
                ('matrix(q)', ("needs the name of a file in quotes",)),
                ('matrix("m.mo")', ("m.mo:5", "fields")),
            ):
                (here / "n.mo").write_text(f"model N Real x = sum(Daedal.Tables.{call}); parameter Real q = 1; end N;")
                self.assert_refused(["check", here / "n.mo"], "n.mo:1:22", *words, code=3)

    def test_a_smooth_surface_of_a_product(self):
        """It is the product of Akima's curves, with all bends at the instants at which they are."""
        model = """model M
          parameter Real x[:] = {0, 1, 3, 4, 6}, y[:] = {1, 2, 2.5, 4}, f[:] = {1, 3, 2, 5, 4}, g[:] = {2, 1, 4, 3};
          Real u = 7*time - 0.5, v = 0.5 + 4*time^2;
          Real a = Daedal.Tables.interpolate2(x, y, {{f[i]*g[j] for j in 1:4} for i in 1:5}, u, v);
          Real b = Modelica.Math.Vectors.interpolate(x, f, u)*Modelica.Math.Vectors.interpolate(y, g, v);
          Real A(start = 0, fixed = true), B(start = 0, fixed = true);
          equation der(A) = a; der(B) = b; annotation(__daedal(interpolation = "akima", outside = "%s"));
        end M;"""
        for outside in ("held", "continued"):
            done = run(["run", "-", "--points=60", "--rtol=1e-10", "-q"], model % outside)
            self.assertEqual(done.code, 0, done.err)
            for row in rows(done.out)[1]:
                self.assertAlmostEqual(row["a"], row["b"], delta=1e-11)
                self.assertAlmostEqual(row["A"], row["B"], delta=1e-8)
        monotone = (model % "held").replace('"akima"', '"monotone"')
        self.assert_refused(["run", "-"], 'is "linear" or "akima", or has "steps"', code=3, stdin=monotone)

    def test_the_name_of_a_file_or_column_is_set(self):
        """The rows are those of the model in which the name stands, also of the flat text that has it."""
        model = """model M
          model B parameter String file = "a.csv", name = "x"; parameter Real m[:, :] = Daedal.Tables.matrix(file);
            Real s = sum(m)*time, y = Modelica.Math.Vectors.interpolate(Daedal.Tables.column(file, "t"), Daedal.Tables.column(file, name), time);
          end B;
          parameter Real x[:] = Daedal.Tables.column(f, "x");
          Real z = sum(x)*time + (if f == "b.csv" then 100 else 0);
          parameter String f = "a.csv", g = directory + (if winter then "b" else "a") + ".csv";
          B one(file = f), two[2](file = {"a.csv", "b.csv"}), three(file = g, name = n[2]);
          parameter String directory = "./", n[2] = {"x", "y"};
          parameter Boolean winter = false;
        end M;"""
        with folder() as here:
            (here / "a.csv").write_text("t,x,y\n0,1,5\n1,2,6\n")
            (here / "b.csv").write_text("t,x,y\n0,10,50\n1,20,60\n2,30,70\n")
            (here / "m.mo").write_text(model)
            plain = run(["run", here / "m.mo", "--points=3", "-q"])
            for settings, old, new in (
                (["f=b.csv"], 'f = "a.csv",', 'f = "b.csv",'),
                (["f= b.csv "], 'f = "a.csv",', 'f = "b.csv",'),
                (["two[1].file=b.csv"], '{"a.csv", "b.csv"}', '{"b.csv", "b.csv"}'),
                (["one.name=y"], "B one(", 'B one(name = "y", '),
                (["one.file=b.csv", "f=b.csv"], 'f = "a.csv",', 'f = "b.csv",'),
                (["winter=true"], "winter = false", "winter = true"),
                (["n[2]=x"], '{"x", "y"}', '{"x", "x"}'),
            ):
                self.assertIn(old, model)
                (here / "n.mo").write_text(model.replace(old, new))
                wanted = run(["run", here / "n.mo", "--points=3", "-q"])
                arguments = [f"--set={setting}" for setting in settings]
                self.assertEqual(run(["run", here / "m.mo", "--points=3", "-q", *arguments]), wanted, settings)
                self.assertEqual(wanted.code, 0, wanted.err)
                self.assertNotEqual(wanted, plain)
                flat = run(["flatten", here / "m.mo", *arguments])
                (here / "flat.mo").write_text(flat.out)
                self.assertEqual(run(["run", here / "flat.mo", "--points=3", "-q"]), wanted, settings)
            # in the flat text the numbers stand, and a name does not act any more
            self.assert_refused(["run", here / "flat.mo", "--set=f=b.csv"], "f is a final parameter and cannot be set")
            for subcommand in ("run", "check", "flatten", "init"):
                self.assert_refused([subcommand, here / "m.mo", "--set=f=c.csv"], "c.csv cannot be read", code=3)
                self.assert_refused([subcommand, here / "m.mo", "--set=one.name=q"], "a.csv has no column q", code=3)
            (here / "n.mo").write_text("model N Real x = sum(Daedal.Tables.matrix(f)); parameter String f; end N;")
            self.assert_refused(["check", here / "n.mo"], "n.mo:1:43", "give f a value", code=3)
            # a value that is missing, or names a file that is missing, may be set
            (here / "a.csv").write_text("t,x,y\n0,10,50\n1,20,60\n2,30,70\n")
            (here / "o.mo").write_text('model O parameter String f = "c.csv", g = "d.csv"; Real x = sum(Daedal.Tables.matrix(f)) + sum(Daedal.Tables.matrix(g)); end O;')
            self.assert_refused(["run", here / "o.mo", "--set=f=a.csv"], "d.csv cannot be read", code=3)
            both = run(["run", here / "o.mo", "--set=f=a.csv", "--set=g=a.csv", "--points=2", "-q"])
            self.assertEqual(both.out, "time,x\n0,486\n1,486\n", both.err)
            self.assertEqual(run(["run", here / "n.mo", "--set=f=a.csv", "--points=2", "-q"]).out, "time,x\n0,243\n1,243\n")

    def test_a_medium_that_is_not_given_is_asked_for(self):
        """Where the author declares the component, and not within the library."""
        model = """model M import Daedal.Fluid.*;
          model Plant
            FixedFlow f(m_flow = 1%s); Sink s;
            equation connect(f.outlet, s.inlet); end Plant;
          Plant q;
          HeatExchanger x(V_hot = 1, V_cold = 1, G_hot = 1, G_cold = 1, C = 1, hot_medium = Daedal.Media.water%s);
          Pipe p[2](each L = 1, each D = 0.1%s);
        end M;"""
        given = (", medium = Daedal.Media.water", ", cold_medium = Daedal.Media.water", ", each medium(R = 287, low = {3.5, 0, 0, 0, 0, 0, 0})")
        self.assertNotIn("has no value", run(["check", "-"], model % given).err)
        for k, words in enumerate((
            ("<stdin>:3:23: error: q.f.medium has no value", "where q.f is declared: f(medium = Daedal.Media.water)"),
            ("<stdin>:6:25: error: x.cold_medium has no value", "x(cold_medium = Daedal.Media.water)"),
            ("<stdin>:7:16: error: p[1].medium has no value", "p(each medium = Daedal.Media.water)"),
        )):
            self.assert_refused(["check", "-"], *words, code=3, stdin=model % tuple("" if i == k else given[i] for i in range(3)))

    def test_values_given_with_each_are_set(self):
        """One element is set, the others keep the value that all components have; also in the flat text."""
        model = """model M
          record L Real d = 0.1; Real k = 1; end L;
          model W parameter Integer n = 2; parameter L r[n](each d = 0.3); parameter Real d[n] = {5, 6}; parameter L s;
            Real x[n](each start = 1, each fixed = true), y = sum(r.d) + 10*d[1] + 1000*d[2] + s.d; equation der(x) = fill(0, n); end W;
          type E = enumeration(a, b); W w[3](each d = {7, 8}, each x(start = {2, 3})), e[E](each n = 3, each d = {1, 2, 3});
        end M;"""
        names = "--vars=w[3].y,w[3].x,e[2].y"
        for setting, wanted in (
            ("w[3].d[2]=9", [9070 + 0.7, 2, 3, 2010 + 1.0]),
            ("w[3].r[2].d=9", [8070 + 9.4, 2, 3, 2010 + 1.0]),
            ("'w[3].r'[2].d=9", [8070 + 9.4, 2, 3, 2010 + 1.0]),
            ("w[3].s.d=9", [8070 + 9.6, 2, 3, 2010 + 1.0]),
            ("w[3].x[2]=9", [8070 + 0.7, 2, 9, 2010 + 1.0]),
            ("e[2].r[3].d=9", [8070 + 0.7, 2, 3, 2010 + 9.7]),
            ("e[E.b].r[3].d=9", [8070 + 0.7, 2, 3, 2010 + 9.7]),
            ("e[b].d[2]=9", [8070 + 0.7, 2, 3, 9010 + 1.0]),
        ):
            done = run(["run", "-", "--points=2", "-q", names, "--set", setting], model)
            self.assertEqual(done.code, 0, done.err)
            last = list(rows(done.out)[1][-1].values())[1:]
            for x, right in zip(last, wanted):
                self.assertAlmostEqual(x, right, delta=1e-9, msg=setting)
            flat = run(["flatten", "-", "--set", setting], model)
            if flat.code == 0:
                self.assertEqual(run(["run", "-", "--points=2", "-q", names], flat.out), done, setting)
            else:
                self.assert_says(flat.err, "cannot be written into the flat text")

    def test_variables_of_components_are_chosen(self):
        model = """model M
          type K = enumeration(a, b); parameter Real k = 3; parameter String s = "text";
          model C parameter Real R[2] = {4, 5}; Real T(start = 1, fixed = true), q[2] = R*T; equation der(T) = -T; end C;
          C wall[3], plate; Real x[K] = {k, 2*k};
        end M;"""
        for word, columns in (
            ("wall.T", "wall[1].T,wall[2].T,wall[3].T"),
            ("wall[2]", "wall[2].T,wall[2].q[1],wall[2].q[2]"),
            ("plate", "plate.T,plate.q[1],plate.q[2]"),
            ("wall.q[2]", "wall[1].q[2],wall[2].q[2],wall[3].q[2]"),
            ("der(wall.T)", "der(wall[1].T),der(wall[2].T),der(wall[3].T)"),
            ("x[1]", "x[1]"),
        ):
            done = run(["run", "-", "--points=2", "-q", "--vars", word], model)
            self.assertEqual(done.out.split("\n")[0], f"time,{columns}", done.err)
        for word, words in (
            ("k", "k is a parameter, 3 all the time"),
            ("s", 's is a parameter, "text" all the time'),
            ("wall[2].R[1]", "wall[2].R[1] is a parameter, 4 all the time"),
            ("x[K.a]", "literals count from 1"),
            ("wall[K.b].T", "literals count from 1"),
            ("wall[4].T", "nearest: wall[1].T"),
            ("wal", '"wal"'),
            ("wall.t", '"wall.t"'),
        ):
            self.assert_refused(["run", "-", "--vars", word], words, stdin=model)

    def test_many_states_are_abbreviated(self):
        model = "model M model C Real v; equation der(v) = -v; end C; Real x[%d], y[3]; C c[5]; equation der(x) = -x; der(y) = -y; end M;"
        said = run(["check", "-"], model % 12).out
        self.assert_says(said, "20 degrees of freedom; possible states: x[1:12], y[1], y[2], y[3], c[1:5].v\n")
        self.assert_says(run(["check", "-"], model % 3).out, "states: x[1], x[2], x[3], y[1], y[2], y[3], c[1:5].v\n")
        said = run(["check", "-"], "model M model C Real v[3]; equation der(v) = -v; end C; C c[20]; end M;").out
        self.assert_says(said, "c[1].v[1], ", "c[10].v[3] and 30 more, which --json lists\n")

    def test_an_input_that_is_not_connected_is_named(self):
        model = """model M Daedal.Blocks.Gain g(k = 2), s[2](each k = 1); Daedal.Blocks.FirstOrder f(T = 1), h(T = 1, u = time);
          equation g.u = time; connect(g.y, s[1].u); end M;"""
        said = self.assert_refused(["run", "-"], "too few equations", "not connected: s[2].u, f.u\n", code=3, stdin=model)
        self.assertNotIn("h.u,", said.partition("not connected")[2])

    def test_two_outputs_at_one_place_are_refused(self):
        model = """model M import Daedal.Fluid.*; import Daedal.Blocks.*; constant Daedal.Media.Medium m = Daedal.Media.water;
          FixedFlow f(medium = m, m_flow = 1), g(medium = m, m_flow = 1); Tank t(A = 1, level(fixed = true), T(fixed = true));
          FlowSink s(m_flow = 0); Clock c; Constant k; Gain y; %s
          equation connect(t.outlet, s.inlet); %s end M;"""
        fluid, signal = "connect(f.outlet, t.inlet);", "connect(c.y, y.u);"
        for lines, words in (
            (f"{fluid} {signal} connect(g.outlet, t.inlet);", ("f.outlet.h and g.outlet.h are connected", "Mixer")),
            (f"{fluid} {signal} connect(k.y, y.u);", ("c.y and k.y are connected", "such as Add")),
            (f"{fluid} {signal} connect(f.outlet, g.outlet);", ("f.outlet.h and g.outlet.h",)),
        ):
            self.assert_refused(["check", "-"], "<stdin>:4:", *words, code=3, stdin=model % ("", lines))
        # an output within one that hands it on is none more, at any depth; one output serves many
        inner = "block B RealOutput y; B1 a; block B1 RealOutput y; Clock c; equation connect(c.y, y); end B1; equation connect(a.y, y); end B; B b; Gain z; Mixer x;"
        lines = f"{signal} connect(b.y, z.u); connect(f.outlet, x.inlet1); connect(g.outlet, x.inlet2); connect(x.outlet, t.inlet);"
        done = run(["run", "-", "--points=2", "--stop=499", "-q", "--vars=z.y,t.level"], model % (inner, lines))
        self.assertEqual(done.code, 0, done.err)
        last = rows(done.out)[1][-1]
        self.assertAlmostEqual(last["z.y"], 499, delta=1e-9)
        self.assertAlmostEqual(last["t.level"], 2, delta=1e-6)

    def test_wrong_use_is_refused(self):
        self.assert_refused(["flatten", "-", "--model=X"], "X", "Decay", stdin=DECAY)
        self.assert_refused(["check", "-"], "several models", "A, B", stdin=f"{MODEL_A}{MODEL_B}")
        with folder() as here:
            (here / "m.mo").write_text(DECAY)
            self.assert_refused(["flatten", here / "m.mo", "-o", here / "m.mo"], "overwrite")
            self.assert_refused(
                ["flatten", here / "m.mo", "-o", here / "no" / "f.mo"], "No such file"
            )
            self.assertEqual((here / "m.mo").read_text(), DECAY)

    def test_a_flat_model_stays_as_it_is(self):
        self.assertEqual(run(["flatten", "-"], DECAY).out, DECAY)

    def test_mistakes_are_told_with_file_and_line(self):
        with folder() as here:
            (here / "Parts.mo").write_text(CLASSES.replace("R*a.i", "R*a.j"))
            (here / "Line.mo").write_text(LINE)
            result = run(["run", "Line.mo"], cwd=here)
            self.assertEqual((result.code, result.out), (3, ""))
            self.assert_says(result.err, "Parts.mo:8:30: error: c[1].a has no component j")


if __name__ == "__main__":
    unittest.main()
