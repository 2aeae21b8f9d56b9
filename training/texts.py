"""Texts as numbers: pieces of words, and the rows that ken-static-1 has for them.

A piece is cut as the built-in embedder cuts it, without the joined forms. A piece in the vocabulary has its
row; any other has a number of its own, by checksum, and the mean of the rows of its parts.
"""

import collections
import json
import lzma
import re
import zlib
from multiprocessing import Pool

import numpy as np
import scipy.sparse as sparse

RUN = re.compile(r"[A-Za-z0-9_$]+|[^\W\d_a-zA-Z]+")
PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\x00-\x7f]+")
ENDING = re.compile(r"(?<=...)(ings?|ed|es|s|ly|er|e)$")
VOCABULARY, BUCKETS, OTHERS = 40_000, 24_576, 1 << 19
MODEL = "models/ken-static-1"
LISTED = 40

vocabulary = {
    piece: row for row, piece in enumerate(open(f"{MODEL}/vocab.txt", encoding="utf8").read().split("\n"))
}


def pieces_of(text, most):
    found = []
    for run in RUN.finditer(text):
        found += [piece.lower()[:40] for piece in PIECE.findall(run[0])]
        if len(found) >= most:
            break
    return found[:most]


def number_of(piece):
    row = vocabulary.get(piece)
    return VOCABULARY + zlib.crc32(piece.encode()) % OTHERS if row is None else row


def numbered(job):
    text, most = job
    pieces = pieces_of(text, most)
    numbers = np.array([number_of(piece) for piece in pieces], np.int32)
    return numbers, {number: piece for number, piece in zip(numbers.tolist(), pieces) if number >= VOCABULARY}


class Pieces:
    """Numbers the pieces of texts, and knows which texts they came from only as far as their names."""

    def __init__(self):
        self.names = {row: piece for piece, row in vocabulary.items()}

    def read(self, texts, most):
        with Pool() as pool:
            found = pool.map(numbered, [(text, most) for text in texts], 256)
        for _, names in found:
            self.names.update(names)
        return [numbers for numbers, _ in found]

    def table(self):
        """A row of 256 floats for each number, of length 1."""
        rows = np.fromfile(f"{MODEL}/rows.i8", np.int8).reshape(-1, 256).astype(np.float32)
        rows *= np.fromfile(f"{MODEL}/scales.f32", np.float32)[:, None]
        table = np.zeros((VOCABULARY + OTHERS, 256), np.float32)
        table[:VOCABULARY] = rows[:VOCABULARY]
        others = [(number, piece) for number, piece in self.names.items() if number >= VOCABULARY]
        with Pool() as pool:
            for (number, _), grams in zip(others, pool.imap(grams_of, [piece for _, piece in others], 512)):
                if grams:
                    table[number] = rows[grams].mean(0)
        return table

    def stems(self):
        """The number of a stem for each number, so that inflected forms are equal."""
        stems = np.arange(VOCABULARY + OTHERS)
        for number, piece in self.names.items():
            stems[number] = number_of(ENDING.sub("", piece))
        return stems


def grams_of(piece):
    marked = f"<{piece}>"
    grams = [marked[at : at + length] for length in (3, 4, 5) for at in range(len(marked) - length + 1)]
    return [VOCABULARY + fnv1a(gram) % BUCKETS for gram in grams[:24]] if len(piece) >= 3 else []


def fnv1a(text):
    value = 2166136261
    for byte in text.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def counted(texts, columns):
    """How often each number is in each text, as a sparse matrix."""
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    numbers = np.concatenate(texts) if texts else np.zeros(0, np.int32)
    matrix = sparse.csr_matrix((np.ones(len(numbers), np.float32), numbers, starts), (len(texts), columns))
    matrix.sum_duplicates()
    return matrix


def present(texts, columns):
    matrix = counted(texts, columns)
    matrix.data[:] = 1
    return matrix


def bm25(texts, columns):
    """Weights of the words of each text; a product with what is present in questions scores them."""
    matrix = counted(texts, columns)
    length = np.asarray(matrix.sum(1)).ravel()
    having = np.bincount(matrix.indices, minlength=columns)
    rarity = np.log(1 + (len(texts) - having + 0.5) / (having + 0.5)).astype(np.float32)
    per_row = np.diff(matrix.indptr)
    norm = np.repeat(1.2 * (0.25 + 0.75 * length / max(1, length.mean())), per_row)
    matrix.data = rarity[matrix.indices] * matrix.data * 2.2 / (matrix.data + norm)
    return matrix.T.tocsr()


def padded(texts, length):
    """A row each, cut to `length`; -1 where there is nothing."""
    rows = np.full((len(texts), length), -1, np.int64)
    for row, text in zip(rows, texts):
        row[: min(length, len(text))] = text[:length]
    return rows


def read_lines(file):
    return [json.loads(line) for line in lzma.open(file, "rt", encoding="utf8")]


def by_pool(items, pool_of):
    groups = collections.defaultdict(list)
    for at, item in enumerate(items):
        groups[pool_of(item)].append(at)
    return groups
