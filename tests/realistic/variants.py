"""The same model written otherwise: statements shuffled, names changed, units of 1e3 and 1e-3.

Knows as much of the language as the models beside it use: one level of statements, loops without
declarations, no functions."""

import random
import re
from collections import namedtuple

# kind: "" for variables, else "parameter Real", ...; binding is the text after `=`, or "".
Variable = namedtuple("Variable", "kind name size attributes binding comment")
Model = namedtuple("Model", "name variables initial equations annotation")

STRING = re.compile(r'"[^"]*"')
WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
SECTIONS = re.compile(r"^\s*(initial\s+equation|equation)\b")
KIND = re.compile(r"\s*((?:final\s+)?(?:parameter|constant)\s+)?Real\b(.*)", re.S)
COMPONENT = re.compile(r"\s*(\w+)\s*(\[[^\]]*\])?\s*(.*)", re.S)


def split(text, separator):
    """Pieces between separators that stand in no bracket, string or loop."""
    pieces, depth, last, i = [], 0, 0, 0
    while i < len(text):
        if text[i] == '"':
            i = text.index('"', i + 1)
        elif text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
        elif re.match(r"(?<!\w)for\b", text[i:]) and (i == 0 or not text[i - 1].isalnum()):
            if separator == ";" and depth == 0:
                i = text.index("end for", i) + len("end for") - 1
        elif depth == 0 and text.startswith(separator, i):
            pieces.append(text[last:i])
            last = i + len(separator)
        i += 1
    return pieces + [text[last:]]


def enclosed(text):
    """The text in the parentheses that open at its start, and what follows them."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:i], text[i + 1 :]
    raise ValueError(text)


def component(kind, text):
    name, size, rest = COMPONENT.fullmatch(text).groups()
    attributes, comment = {}, ""
    if rest.startswith("("):
        inside, rest = enclosed(rest)
        attributes = dict(re.split(r"\s*=\s*", part.strip(), 1) for part in split(inside, ","))
    told = re.search(r'"[^"]*"\s*$', rest)
    if told:
        rest, comment = rest[: told.start()], told.group().strip()
    binding = rest.strip().removeprefix("=").strip()
    return Variable(kind, name, size or "", attributes, binding, comment)


def without_comments(text):
    return re.sub(r"//.*", "", text)


def parse(text):
    head = re.match(r'\s*model\s+(\w+)\s*("[^"]*")?', without_comments(text))
    body = without_comments(text)[head.end() :]
    body = body[: body.rindex("end " + head.group(1))]
    parts = {"": [], "initial equation": [], "equation": []}
    section, annotation, variables = "", "", []
    for statement in split(body, ";"):
        begins = SECTIONS.match(statement)
        if begins:
            section = " ".join(begins.group(1).split())
            statement = statement[begins.end() :]
        statement = statement.strip()
        if statement.startswith("annotation"):
            annotation = statement
        elif statement:
            parts[section].append(statement)
    for statement in parts[""]:
        kind, rest = KIND.fullmatch(statement).groups()
        kind = (kind or "").strip()
        variables.extend(component(kind, piece) for piece in split(rest, ","))
    return Model(head.group(1), variables, parts["initial equation"], parts["equation"], annotation)


def declaration(v):
    inside = ", ".join(f"{key} = {value}" for key, value in v.attributes.items())
    return (
        f"  {v.kind + ' ' if v.kind else ''}Real {v.name}{v.size}"
        f"{'(' + inside + ')' if inside else ''}{' = ' + v.binding if v.binding else ''}"
        f"{' ' + v.comment if v.comment else ''};\n"
    )


def write(model):
    text = f"model {model.name}\n" + "".join(map(declaration, model.variables))
    for title, statements in ("initial equation", model.initial), ("equation", model.equations):
        if statements:
            text += title + "\n" + "".join(f"  {statement};\n" for statement in statements)
    return text + f"  {model.annotation};\nend {model.name};\n"


def replace_words(text, change):
    """change(word, subscript or "") of each word outside strings."""
    done, last = [], 0
    for piece in [*STRING.finditer(text), None]:
        code = text[last : piece.start() if piece else len(text)]
        done.append(replace_in_code(code, change))
        if piece:
            done.append(piece.group())
            last = piece.end()
    return "".join(done)


def replace_in_code(code, change):
    out, i = [], 0
    while i < len(code):
        word = WORD.match(code, i)
        if not word or (i and (code[i - 1].isalnum() or code[i - 1] == "_")):
            out.append(code[i])
            i += 1
            continue
        i, subscript = word.end(), ""
        if i < len(code) and code[i] == "[":
            end = i + len(bracketed(code[i:]))
            subscript, i = replace_in_code(code[i:end], change), end
        out.append(change(word.group(), subscript))
    return "".join(out)


def bracketed(text):
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth == 0:
            return text[: i + 1]
    raise ValueError(text)


# The variants: each gives a text, and for each variable its new name and its factor. -------------


def same(model):
    return {v.name: v.name for v in model.variables}, {v.name: 1.0 for v in model.variables}


def shuffled(text, seed):
    model, chance = parse(text), random.Random(seed)
    for statements in model.variables, model.initial, model.equations:
        chance.shuffle(statements)
    return write(model), *same(model)


def renamed(text, seed):
    model, chance = parse(text), random.Random(seed)
    numbers = chance.sample(range(1000, 9999), len(model.variables))
    names = {v.name: f"{chance.choice('azQm')}{n}" for v, n in zip(model.variables, numbers)}

    def change(word, subscript):
        return names.get(word, word) + subscript

    def new(e):
        return replace_words(e, change)

    variables = [
        v._replace(
            name=names[v.name],
            size=new(v.size),
            attributes={key: new(value) for key, value in v.attributes.items()},
            binding=new(v.binding),
        )
        for v in model.variables
    ]
    texts = [[new(e) for e in statements] for statements in (model.initial, model.equations)]
    return write(Model(model.name, variables, *texts, model.annotation)), names, same(model)[1]


def in_other_units(text, seed):
    model, chance = parse(text), random.Random(seed)
    names, factors = same(model)
    factors = {v.name: 1.0 if v.kind else chance.choice([1e-3, 1e3]) for v in model.variables}
    units = {name: f"{factor:g}" for name, factor in factors.items() if factor != 1}

    def change(word, subscript):
        return f"({word}{subscript}/{units[word]})" if word in units else word + subscript

    def new(e):
        return replace_words(e, change)

    def scaled(v):
        if v.name not in units:
            return v._replace(binding=new(v.binding))
        unit, attributes = units[v.name], dict(v.attributes)
        for key in attributes:
            if key.removeprefix("each ") in ("start", "min", "max", "nominal"):
                attributes[key] = f"{unit}*({attributes[key]})"
        if not attributes.keys() & {"nominal", "each nominal"}:
            attributes["each nominal" if v.size else "nominal"] = unit
        attributes.pop("unit", None)
        binding = f"{unit}*({new(v.binding)})" if v.binding else ""
        return v._replace(attributes=attributes, binding=binding)

    variables = [scaled(v) for v in model.variables]
    texts = [[new(e) for e in statements] for statements in (model.initial, model.equations)]
    return write(Model(model.name, variables, *texts, model.annotation)), names, factors


def as_written(text, _):
    return text, *same(parse(text))


VARIANTS = {
    "as written": as_written,
    "shuffled": shuffled,
    "renamed": renamed,
    "other units": in_other_units,
}
