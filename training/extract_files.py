"""python3 training/extract_files.py CLONES OUT: copies what sources.json names, and subjects of commits.

CLONES has a git directory for each repository, as owner+name/repo. OUT/files.jsonl.xz gets a file a line,
OUT/commits.jsonl.xz a commit a line; OUT/licences.txt says what each repository allows.
"""

import json
import lzma
import os
import random
import re
import subprocess
import sys

TESTS = re.compile(
    r"(^|/)(tests?|__tests__|spec|fixtures?|__fixtures__|e2e|examples?|playground|bench|dist|vendor|__mocks__|testdata|"
    r"template[^/]*|i18n|locales?)(/|$)|\.(test|spec|bench)\.|_test\.|\.d\.ts$|-test\.",
    re.I,
)
# Of what is named, so much is taken.
SHARES = {"docs": 0.45, "code": 0.55, "papers": 0.6}
LARGEST_FILE = 150_000
LARGEST_PAPERS = 4_000_000
COMMITS = 6000


def git(folder, *arguments):
    done = subprocess.run(
        ["git", "-C", folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return done.stdout.decode("utf8", "replace")


def folder_of(clones, repository):
    folder = f"{clones}/{repository.replace('/', '+')}/repo"
    return f"{folder}/.git" if os.path.isdir(f"{folder}/.git") else folder


def wanted_files(folder, source):
    """(kind, path, digest) of files that a pattern names, in random order, up to `most` megabytes of a kind."""
    listed = []
    for line in git(folder, "ls-tree", "-r", "-l", "-z", "HEAD").split("\0"):
        meta, _, path = line.partition("\t")
        mode, _, digest, size = (meta.split() + [""] * 4)[:4]
        if not size.isdigit() or mode == "120000":
            continue
        for kind in ("docs", "code", "papers"):
            largest = LARGEST_PAPERS if kind == "papers" else LARGEST_FILE
            if kind not in source or int(size) > largest or not re.search(source[kind], path):
                continue
            if kind != "code" or not TESTS.search(path):
                listed.append((kind, path, digest, int(size)))
    random.Random(1).shuffle(listed)
    room = {kind: source.get("most", 4) * 1e6 for kind in ("docs", "code", "papers")}
    chance = random.Random(3)
    for kind, path, digest, size in listed:
        room[kind] -= size
        if room[kind] > 0 and chance.random() < SHARES[kind]:
            yield kind, path, digest


def contents(folder, wanted):
    process = subprocess.Popen(
        ["git", "-C", folder, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for kind, path, digest in wanted:
        process.stdin.write(f"{digest}\n".encode())
        process.stdin.flush()
        header = process.stdout.readline().split()
        if len(header) < 3:
            continue
        text = process.stdout.read(int(header[2])).decode("utf8", "replace")
        process.stdout.read(1)
        yield kind, path, text
    process.stdin.close()
    process.wait()


def commits(folder):
    """(subject, paths) of the newest commits."""
    log = git(folder, "log", "--no-merges", f"-n{COMMITS}", "--name-only", "--format=%x00%s")
    for commit in log.split("\0"):
        subject, *paths = [line for line in commit.split("\n") if line] or [""]
        if 1 <= len(paths) <= 6:
            yield subject, paths


def licence(folder):
    for name in git(folder, "ls-tree", "--name-only", "HEAD").split("\n"):
        if re.match(r"(licen[cs]e|copying)", name, re.I):
            text = " ".join(git(folder, "show", f"HEAD:{name}").split())
            yield f"{name}: {text[:90]}"


def main(clones, out):
    here = os.path.dirname(os.path.abspath(__file__))
    sources = json.load(open(f"{here}/sources.json"))
    files, subjects = (lzma.open(f"{out}/{name}.jsonl.xz", "wt", preset=4) for name in ("files", "commits"))
    licences = open(f"{out}/licences.txt", "w")
    for repository, source in sources.items():
        folder = folder_of(clones, repository)
        count = size = 0
        kept = set()
        for kind, path, text in contents(folder, wanted_files(folder, source)):
            files.write(
                json.dumps({"repository": repository, "kind": kind, "path": path, "text": text}) + "\n"
            )
            count, size = count + 1, size + len(text)
            if kind == "code":
                kept.add(path)
        for subject, paths in commits(folder) if kept else ():
            changed = [path for path in paths if not TESTS.search(path) and re.search(source["code"], path)]
            if 1 <= len(changed) <= 3 and any(path in kept for path in changed):
                subjects.write(
                    json.dumps({"repository": repository, "subject": subject, "paths": changed}) + "\n"
                )
        head = git(folder, "rev-parse", "HEAD").strip()[:12]
        licences.write(f"{repository}\t{head}\t{'; '.join(licence(folder))}\n")
        print(repository, count, f"{size / 1e6:.1f} MB", flush=True)
    for file in (files, subjects, licences):
        file.close()


main(*sys.argv[1:])
