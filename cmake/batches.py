"""Puts C files into batches, each to be compiled at once: batches.py STEM FILE:[DEFINITION]... STEM ...

Starting a compiler and reading headers takes longer than compiling most files. A batch, STEM_1.c and so on,
includes its files. A name that one of them knows and another uses means the same in both: as far as this reads
C, which is enough for ours. Prints the paths of the batches. DEFINITION is NAME=VALUE, for that file alone."""

import functools
import pathlib
import re
import sys

MOST = 12  # files in a batch
ROOT = pathlib.Path(__file__).resolve().parent.parent

NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
CALLED = re.compile(r"(?<![\w.>])(?:[A-Za-z_]\w*(?=\()|[A-Z][A-Z_0-9]*\b)")  # functions, macros and constants
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"|<(?=complex))([^">]+)', re.M)  # <complex.h> defines I
MACRO = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)", re.M)
FORWARD = re.compile(r"\s*typedef\s+struct\s+(\w+)\s+\1\s*")
TAG = re.compile(r"\s*(?:struct|union|enum)\s+(\w+)\s*")
MADE = re.compile(r"^[A-Z][A-Z_0-9]*\((\w+)", re.M)  # START_TEST(name) and what else a macro defines
ARGUMENTS = re.compile(r"\((?!\*)[^()]*\)")
DECLARED = re.compile(r"\b(?!(?:enum|struct|union)\b)([A-Za-z_]\w*)\s*(?=[\[=,)]|\((?!\*)|\Z)")


def outside_braces(code):
    """The code without what stands in braces, but with the constants of enumerations: pieces."""
    pieces, depth, begin = [], 0, 0
    for brace in re.finditer("[{}]", code):
        depth += 1 if brace.group() == "{" else -1
        if depth == 1 and brace.group() == "{":
            pieces.append(code[begin : brace.start()])
            begin = brace.end() if re.search(r"\benum\b[^;{}()]*$", pieces[-1]) else None
        elif depth == 0:
            pieces.append("" if begin is None else code[begin : brace.start()])
            begin = brace.end()
    return pieces + [code[begin:]]


def declared(piece):
    """The names that such a piece declares for its file alone, each with what it means: None, it is defined."""
    found = {}
    for part in ARGUMENTS.sub("()", ARGUMENTS.sub("()", piece)).split(";"):
        if forward := FORWARD.fullmatch(part):
            found[forward[1]] = "a type"
        elif tag := TAG.fullmatch(part):
            found[f"struct {tag[1]}"] = None
        elif "(" not in part or re.search(r"\b(?:static|typedef)\b", part):
            found.update(dict.fromkeys(DECLARED.findall(re.sub("=[^,]*", "=", part))))
    return found


@functools.cache
def parts_of(path):
    """The names that a file declares for itself outside functions, those that it calls, and its headers."""
    text = NO_CODE.sub(" ", path.read_text())
    code = DIRECTIVE.sub("", text)
    found = {name: None for made in MADE.findall(code) for name in (made, made + "_body")}
    for piece in outside_braces(code):
        found.update(declared(piece))
    for change, name in MACRO.findall(text):
        found.pop(name, None) if change == "undef" else found.setdefault(name)
    folders = [path.parent, *(ROOT / folder for folder in ("src", "tests", "include", "/usr/include"))]
    named = (folder / name for name in INCLUDE.findall(path.read_text()) for folder in folders)
    names = {name: meaning or path for name, meaning in found.items()}
    return names, set(CALLED.findall(text)), [header for header in named if header.is_file()]


def files_of(path, found):
    """A file after the headers that it includes, and those after the ones that they include."""
    if path not in found:
        found[path] = None
        for header in parts_of(path)[2]:
            files_of(header, found)
        found[path] = found.pop(path)
    return found


def known_to(path):
    """The names that a file knows from itself and its headers, each with what it means."""
    known = {}
    for file in files_of(path, {}):
        known |= parts_of(file)[0]
    return known


class Batch:
    """Files that do not disturb each other: a name that one knows and another uses means the same in both."""

    def __init__(self):
        self.files, self.known, self.used = [], {}, set()

    def take(self, path):
        """Whether there is room for a file, which is in the batch then."""
        known = known_to(path)
        used = parts_of(path)[1] | known.keys()
        shared = (self.known.keys() & used) | (known.keys() & self.used)
        if len(self.files) == MOST or any(self.known.get(name) != known.get(name) for name in shared):
            return False
        self.files.append(path)
        self.known |= known
        self.used |= used
        return True


def batches_of(paths):
    """Each file goes to the first batch that takes it."""
    found = []
    for path in paths:
        if not any(batch.take(path) for batch in found):
            found.append(Batch())
            found[-1].take(path)
    return [batch.files for batch in found]


def lines_of(path, definition):
    if not definition:
        return f'#include "{path}"\n'
    name, _, value = definition.partition("=")
    return f'#define {name} {value}\n#include "{path}"\n#undef {name}\n'


def write(stem, definitions):
    for k, batch in enumerate(batches_of(definitions), 1):
        path = pathlib.Path(f"{stem}_{k}.c")
        text = "".join(lines_of(file, definitions[file]) for file in batch)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        print(path)


def main(arguments):
    given = {}
    for argument in arguments:
        name, colon, definition = argument.partition(":")
        if colon:
            given[stem][pathlib.Path(name).resolve()] = definition
        else:
            stem = name
            given[stem] = {}
    for stem, definitions in given.items():
        write(stem, definitions)


if __name__ == "__main__":
    main(sys.argv[1:])
