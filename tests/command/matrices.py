"""Tables of the Modelica Standard Library from files of MATLAB 4 have the values of the same tables as text."""
import struct
import unittest

from daedal import CommandTest, folder, rows, run

MODEL = """package 'P'
type S = enumeration('LinearSegments', 'ContinuousDerivative', 'ConstantSegments'); type X = enumeration('HoldLastPoint', 'LastTwoPoints');
class One extends ExternalObject;
function constructor input String name; input String file; input Real[:, :] t; input Integer[:] c; input S s; input X x; output One y;
external "C" y = ModelicaStandardTables_CombiTable1D_init2(file, name, t, size(t, 1), size(t, 2), c, size(c, 1), s, x, true); end constructor;
end One;
function one input One o; input Integer i; input Real u; output Real y;
external "C" y = ModelicaStandardTables_CombiTable1D_getValue(o, i, u); end one;
model 'P'
  parameter String file = "t.mat", name = "tab";
  parameter One o = One(name, file, {{0.0, 0.0}}, {2, 3}, S.'ContinuousDerivative', X.'LastTwoPoints');
  Real y = one(o, 1, time), z = one(o, 2, time);
  annotation(experiment(StopTime = 4));
end 'P';
end 'P';
"""
TABLE = [[0, 5, -3], [1, 7, 200], [2, 1, 0], [3, 4, -100]]
TEXT = "#1\ndouble tab(4,3)\n" + "".join(" ".join(map(str, row)) + "\n" for row in TABLE)
STORED = "dfihHB"  # P = 0 to 5 as struct has them


def matrix(name, table, stored=0, big=False, text=0, imaginary=False):
    order = ">" if big else "<"
    head = struct.pack(order + "5i", (1000 if big else 0) + 10 * stored + text, len(table), len(table[0]), imaginary, len(name) + 1)
    numbers = [row[j] for j in range(len(table[0])) for row in table] * (2 if imaginary else 1)
    return head + name.encode() + b"\0" + struct.pack(f"{order}{len(numbers)}{STORED[stored]}", *numbers)


class Matrices(CommandTest):
    def test_matrices_have_the_values_of_their_text(self):
        with folder() as here:
            (here / "m.mo").write_text(MODEL)
            (here / "t.txt").write_text(TEXT)
            wanted = run(["run", here / "m.mo", "--set=file=t.txt", "--points=9", "-q"])
            self.assertEqual(wanted.code, 0, wanted.err)
            others = matrix("Aclass", [[65, 66]], 5, text=1) + matrix("c", [[1, 2]], imaginary=True) + matrix("empty", [[]])
            for stored in range(4):
                for big in (False, True):
                    (here / "t.mat").write_bytes(others + matrix("tab", TABLE, stored, big) + matrix("b", [[1]]))
                    self.assertEqual(run(["run", here / "m.mo", "--points=9", "-q"]), wanted, (stored, big))
            positive = [[abs(x) for x in row] for row in TABLE]
            (here / "t.txt").write_text(TEXT.replace("-", ""))
            wanted = run(["run", here / "m.mo", "--set=file=t.txt", "--points=9", "-q"])
            for stored in (4, 5):
                (here / "T.MAT").write_bytes(matrix("tab", positive, stored))
                self.assertEqual(run(["run", here / "m.mo", "--set=file=T.MAT", "--points=9", "-q"]), wanted, stored)
            (here / "t.mat").write_bytes(matrix("a", TABLE) + matrix("tab", [[0, 1, 2], [1, 1.5, 1e300]]))
            self.assertEqual(rows(run(["run", here / "m.mo", "--set=name=a", "--at=0,1", "-q"]).out)[1][1]["z"], 200)

    def test_other_files_are_refused(self):
        whole = matrix("a", TABLE) + matrix("tab", TABLE)
        with folder() as here:
            (here / "m.mo").write_text(MODEL)
            for content, words in (
                (whole[:-1], "t.mat is damaged, or no file of MATLAB 4"),
                (whole[:30], "damaged"),
                (whole[:10], "damaged"),
                (b"#2\n" + TEXT.encode(), "version 4"),
                (b"MATLAB 5.0 MAT-file, written by nobody" + bytes(200), "save(..., '-v4')"),
                (matrix("tab", TABLE, imaginary=True), "tab in"),
                (matrix("tab", [[65, 66]], 5, text=1), "no matrix of real numbers"),
                (matrix("a", TABLE) + matrix("b", TABLE), "has no table tab"),
                (matrix("a", TABLE) + matrix("b", TABLE), "its tables: a, b"),
                (struct.pack("<5i", 0, 2**30, 2**30, 0, 4) + b"tab\0", "damaged"),
                (struct.pack("<5i", 0, -1, 4, 0, 4) + b"tab\0", "damaged"),
                (struct.pack("<5i", 0, 1, 1, 0, 2**31 - 1) + b"tab\0", "damaged"),
                (b"", "has no table tab"),
            ):
                (here / "t.mat").write_bytes(content)
                self.assert_refused(["check", here / "m.mo"], words, code=3)


if __name__ == "__main__":
    unittest.main()
