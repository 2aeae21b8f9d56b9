"""Questions and the passages that answer them, out of what extract_files.py copied."""

import ast
import collections
import json
import lzma
import random
import re
from multiprocessing import Pool

LONGEST = 1500
FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
UNDERLINE = re.compile(r"^([=\-~^\"'`#*+.])\1{2,}\s*$")
LINK = re.compile(r"!?\[([^\]\[]*)\]\(([^)\s]+)[^)]*\)")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def plain(text):
    text = LINK.sub(r"\1", text)
    text = re.sub(r"<!--.*?-->|\{\{[^}]*\}\}|\{%[^%]*%\}|</?[A-Za-z][^>\n]{0,200}>", " ", text, flags=re.S)
    text = re.sub(r":[\w:+-]+:`~?([^`<]+?)\s*(?:<[^>]*>)?`", r"\1", text)
    text = re.sub(r"^\.\. (?:index|_[^:]+|only|meta)::?.*$", "", text, flags=re.M)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+", " ", text)).strip()


def sections(text):
    """(level, heading, body) of Markdown and reStructuredText."""
    level, heading, body, fenced, marks = 0, "", [], False, []
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if FENCE.match(line):
            fenced = not fenced
        found = None if fenced else HEADING.match(line)
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if not fenced and line.strip() and line[0] not in " .|-" and UNDERLINE.match(below):
            if below[0] not in marks:
                marks.append(below[0])
            found = (marks.index(below[0]) + 1, line)
        if found:
            yield level, heading, plain("\n".join(body))
            level, heading = (found[0], found[1]) if isinstance(found, tuple) else (len(found[1]), found[2])
            heading, body = re.sub(r"[*`]|\{[^}]*\}", "", plain(heading)).strip(), []
        elif not (UNDERLINE.match(line) and not fenced):
            body.append(line)
    yield level, heading, plain("\n".join(body))


def from_docs(path, text, chance):
    front = re.match(r"^---\s*\n(.*?)\n---\s*\n", text, re.S)
    fields = dict(re.findall(r"^(\w+)\s*:\s*[\"']?(.+?)[\"']?\s*$", front[1], re.M)) if front else {}
    title, stack, first = fields.get("title", ""), [], True
    for summary, answer in re.findall(r"<summary>(.*?)</summary>(.*?)</details>", text, re.S):
        yield "answer", plain(summary), title, plain(answer)
    for level, heading, body in sections(text[front.end() :] if front else text):
        title = title or heading
        stack = [each for each in stack if each[0] < level]
        above = " > ".join(dict.fromkeys(each for each in [title, *(each[1] for each in stack)] if each))
        stack.append((level, heading))
        if len(body) < 80:
            continue
        whole = f"{above} > {heading}" if heading != title else above
        if first and len(fields.get("description", "")) > 20:
            yield "description", plain(fields["description"]), whole, body
        elif chance.random() < 0.75:
            is_note = chance.random() < 0.15
            yield (
                "heading",
                heading,
                above if heading != title else "",
                SENTENCE.split(body)[0] if is_note else body,
            )
        else:
            torn = [each for each in SENTENCE.split(body) if 40 < len(each) < 200 and "\n" not in each]
            if torn and len(body) > 500:
                sentence = chance.choice(torn)
                yield "sentence", sentence, whole, body.replace(sentence, " ")
        first = False


def first_sentence(comment):
    comment = re.split(r"\n\s*\n|^\s*@\w", comment.strip(), maxsplit=1, flags=re.M)[0]
    comment = re.sub(r"\{@\w+\s+([^}|]+)[^}]*\}", r"\1", comment)
    comment = re.sub(r"[`*]|<[^>]+>", "", LINK.sub(r"\1", re.sub(r":\w+:`~?([^`]+)`", r"\1", comment)))
    return SENTENCE.split(" ".join(comment.split()))[0]


def python_functions(text):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            comment = node.body[0]
            rest = lines[node.lineno - 1 : comment.lineno - 1] + lines[comment.end_lineno : node.end_lineno]
            yield node.name, ast.get_docstring(node), "\n".join(rest)


COMMENT = re.compile(
    r"/\*\*((?:(?!\*/)[\s\S]){12,2000}?)\*/[ \t]*\n([ \t]*)((?:export |default |declare |public |private |protected |"
    r"static |readonly |abstract |override |async )*(?:function\*? |class |const |get |set )?([#\w$]+)[^\n]*\n"
    r"(?:(?!\2[}\])])[^\n]*\n){1,80}\2[}\])][^\n]*)"
)
GO = re.compile(r"((?:^//[^\n]*\n)+)(func\s+(?:\([^)]*\)\s*)?(\w+)[^\n]*\{\n(?:(?!^\}).*\n){1,80}?^\})", re.M)


def functions(path, text):
    if path.endswith(".py"):
        yield from python_functions(text)
    elif path.endswith(".go"):
        for comment, code, name in GO.findall(text):
            yield name, re.sub(rf"^{name} ", "", re.sub(r"^// ?", "", comment, flags=re.M)), code
    else:
        for comment, _, code, name in COMMENT.findall(text):
            yield name, re.sub(r"^\s*\*? ?", "", comment, flags=re.M), code


DEFINED = re.compile(
    r"^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|class|interface|type|const|def|func)\s+(\w+)",
    re.M,
)


def parts(text):
    """Of about LONGEST characters, cut at lines."""
    part = ""
    for line in text.split("\n"):
        if part and len(part) + len(line) > LONGEST:
            yield part
            part = ""
        part += line[:400] + "\n"
    yield part


def from_papers(text, chance):
    for paper in re.findall(r"<paper .*?</paper>", text, re.S):
        title, abstract = (re.search(rf"<{tag}>(.*?)</{tag}>", paper, re.S) for tag in ("title", "abstract"))
        if not title or not abstract:
            continue
        title, abstract = (" ".join(re.sub(r"<[^>]+>", "", each[1]).split()) for each in (title, abstract))
        sort, claim = chance.random(), chance.choice(SENTENCE.split(abstract)[1:] or [""])
        if sort < 0.3:
            yield "title", title, "", abstract
        elif sort < 0.55:
            yield "claim", claim, "", title
        else:
            yield "claim", claim, title if chance.random() < 0.5 else "", abstract.replace(claim, " ")


def mined(file):
    """(kind, question, path, heading, body) of a file; no question for the parts that a commit may name."""
    kind, path, text = file["kind"], file["path"], file["text"]
    chance = random.Random(path)
    found = []
    if kind == "docs":
        found = [
            (kind, question, path, heading, body)
            for kind, question, heading, body in from_docs(path, text, chance)
        ]
    elif kind == "papers":
        found = [
            (kind, question, "", heading, body) for kind, question, heading, body in from_papers(text, chance)
        ]
    else:
        for name, comment, code in functions(path, text):
            if code.count("\n") > 1 and len(code) > 60:
                found.append(("comment", first_sentence(comment), path, name, code))
        for part in parts(text) if file["changed"] else ():
            found.append(("commit", "", path, ", ".join(DEFINED.findall(part)[:6]), part))
    return [(*each[:4], each[4][:LONGEST]) for each in found]


def is_question(text):
    return len(text) >= 10 and 2 <= len(text.split()) <= 40 and not text.startswith(">>>")


def mine(folder):
    """Passages (pool, path, heading, body), and questions (kind, pool, text, numbers of their passages)."""
    files = [json.loads(line) for line in lzma.open(f"{folder}/files.jsonl.xz", "rt")]
    commits = [json.loads(line) for line in lzma.open(f"{folder}/commits.jsonl.xz", "rt")]
    changed = {(each["repository"], path) for each in commits for path in each["paths"]}
    for file in files:
        file["changed"] = (file["repository"], file["path"]) in changed
    passages, questions, of_path = [], [], collections.defaultdict(list)
    with Pool() as pool:
        for file, found in zip(files, pool.imap(mined, files, 64)):
            for kind, question, path, heading, body in found:
                group = kind if kind in ("comment", "commit") else "text"
                pool_name = f"{file['repository']} {group}"
                passages.append((pool_name, path, heading, body))
                if kind == "commit":
                    of_path[file["repository"], path].append(len(passages) - 1)
                elif is_question(question):
                    questions.append((kind, pool_name, question, [len(passages) - 1]))
    for commit in commits:
        subject = re.sub(
            r"^\w+(\([^)]*\))?!?:\s*|^\[[^\]]*\]\s*|\s*\(?#\d+\)?|^(Fixed|Refs) -- ", "", commit["subject"]
        )
        answers = [at for path in commit["paths"] for at in of_path[commit["repository"], path]]
        if (
            answers
            and is_question(subject)
            and not re.match(r"(bump|release|merge|revert|chore|update dep)", subject, re.I)
        ):
            questions.append(("commit", f"{commit['repository']} commit", subject, answers))
    often = collections.Counter((pool_name, question) for _, pool_name, question, _ in questions)
    return passages, [each for each in questions if often[each[1], each[2]] <= 2]
