"""The mined questions, each with what words and meaning find for it: near misses, the answer among them."""

import json
import os
import re

import numpy as np
import torch
from mine_pairs import mine
from texts import LISTED, Pieces, bm25, by_pool, padded, present, read_lines

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SMALL = torch.float16 if DEVICE == "cuda" else torch.float32
ASKED, NAMED, READ = 32, 20, 300
BLOCK = 256
MEANING = 0.35
COLLECTIONS = ["cacm", "commit-file-dev", "cosqa", "devdocs-q-dev", "devqa-dev", "scifact", "ts-jsdoc-dev"]


def name_of(path):
    return re.sub(r"\d+", " ", os.path.basename(path).split(".")[0])


def mixed(lexical, dense, meaning):
    return lexical * (1 - meaning) + dense * meaning


class Texts:
    """Questions and passages, mined ones first, as numbers of pieces, which are rows of `table`."""

    def __init__(self, mined_folder, lists_folder):
        self.passages, self.questions = mine(mined_folder)
        self.mined = len(self.passages)
        self.collections = {}
        texts = [(path, heading, body) for _, path, heading, body in self.passages]
        asked = [question for _, _, question, _ in self.questions]
        for name in COLLECTIONS:
            if not os.path.exists(f"{lists_folder}/{name}.lists.jsonl.xz"):
                continue
            rows, lists = (
                read_lines(f"{lists_folder}/{name}.{part}.jsonl.xz") for part in ("texts", "lists")
            )
            for each in lists:
                each["asked"] = len(asked)
                asked.append(each["question"])
            self.collections[name] = {"first": len(texts), "lists": lists, "texts": rows}
            texts += [(row["path"], row["heading"], row["body"]) for row in rows]
        pieces = Pieces()
        heads = pieces.read([f"{name_of(path)} {heading}" for path, heading, _ in texts], NAMED)
        bodies = pieces.read([body for _, _, body in texts], READ)
        asked = pieces.read(asked, ASKED)
        stems, table = pieces.stems(), pieces.table()
        self.words = [stems[np.concatenate([head, head, body])] for head, body in zip(heads, bodies)]
        self.asked_words = [stems[each] for each in asked]
        having = np.bincount(present(self.words[: self.mined], len(table)).indices, minlength=len(table))
        rarity = np.log((self.mined + 1) / (having + 1))[stems] / 10
        as_tensor = lambda rows: torch.from_numpy(rows).to(DEVICE)
        self.table, self.stems, self.rarity = (
            as_tensor(table).to(SMALL),
            as_tensor(stems),
            as_tensor(rarity).float(),
        )
        self.heads, self.bodies = as_tensor(padded(heads, NAMED)), as_tensor(padded(bodies, READ))
        self.asked = as_tensor(padded(asked, ASKED))
        self.vectors = self.static(torch.cat([self.heads, self.heads, self.bodies], 1))
        self.asked_vectors = self.static(self.asked)

    def static(self, numbers):
        """The vectors of ken-static-1, without weighing how often a piece is there."""
        blocks = []
        for block in numbers.split(2048):
            rows = self.table[block.clamp(min=0)].float() * (block >= 0)[..., None]
            blocks.append(torch.nn.functional.normalize(rows.sum(1), dim=1).to(SMALL))
        return torch.cat(blocks)

    def scored(self, passages, questions, vectors=None, asked_vectors=None):
        """Blocks of questions with their scores for each of the passages, by words and by meaning."""
        vectors = (self.vectors if vectors is None else vectors)[passages]
        asked_vectors = self.asked_vectors if asked_vectors is None else asked_vectors
        columns = len(self.stems)
        weights = bm25([self.words[at] for at in passages], columns)
        for start in range(0, len(questions), BLOCK):
            block = questions[start : start + BLOCK]
            lexical = (present([self.asked_words[at] for at in block], columns) @ weights).toarray()
            lexical = torch.from_numpy(lexical).to(DEVICE)
            dense = asked_vectors[block].to(vectors.dtype) @ vectors.T
            dense = dense.float().clamp(min=0)
            of_best = lambda scores: scores / scores.amax(1, keepdim=True).clamp(min=1e-6)
            yield block, of_best(lexical), of_best(dense)

    def lists(self):
        """For each mined question the first passages of its pool, their scores, and its best answer."""
        count = len(self.questions)
        found = torch.full((count, LISTED), -1, dtype=torch.long)
        scores = torch.zeros(count, LISTED)
        answer, answer_score = torch.zeros(count, dtype=torch.long), torch.zeros(count)
        passages = by_pool(self.passages, lambda each: each[0])
        for pool, questions in by_pool(self.questions, lambda each: each[1]).items():
            places = torch.tensor(passages[pool])
            place_of = {at: place for place, at in enumerate(passages[pool])}
            depth = min(LISTED, len(places))
            for block, lexical, dense in self.scored(passages[pool], questions):
                fused = mixed(lexical, dense, MEANING)
                best = fused.topk(depth, 1)
                found[block, :depth] = places[best.indices.cpu()]
                scores[block, :depth] = best.values.cpu()
                for row, at in enumerate(block):
                    answers = [place_of[each] for each in self.questions[at][3]]
                    values = fused[row, torch.tensor(answers, device=fused.device)]
                    answer[at] = passages[pool][answers[int(values.argmax())]]
                    answer_score[at] = values.max()
        right = torch.zeros(count, LISTED, dtype=torch.bool)
        for at, (_, _, _, answers) in enumerate(self.questions):
            right[at] = torch.isin(found[at], torch.tensor(answers))
        return [each.to(DEVICE) for each in (found, scores, right, answer, answer_score)]

    def held_out(self):
        """Whether a mined question is kept for choosing between models."""
        here = os.path.dirname(os.path.abspath(__file__))
        sources = json.load(open(f"{here}/sources.json"))
        kept = {name for name, source in sources.items() if source.get("heldOut")}
        flags = [
            pool.split(" ")[0] in kept or (kind == "claim" and at % 12 == 0)
            for at, (kind, pool, _, _) in enumerate(self.questions)
        ]
        return torch.tensor(flags, device=DEVICE)


def ndcg10(relevant, documents, excluded=()):
    ranked = [each for each in dict.fromkeys(documents) if each not in excluded][:10]
    gain = sum(relevant.get(each, 0) / np.log2(at + 2) for at, each in enumerate(ranked))
    ideal = sorted(relevant.values(), reverse=True)[:10]
    return gain / sum(value / np.log2(at + 2) for at, value in enumerate(ideal))
