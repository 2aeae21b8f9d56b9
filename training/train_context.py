"""python3 training/train_context.py MINED LISTS OUT SECONDS LAYERS [SEED]: trains encoders, prints how they fare.

A text becomes the sum of its vector in ken-static-1 and of the mean of what a few layers make of its first
pieces, so that training begins where ken stands. Questions are drawn to what answers them, and away from near
misses of the same pool.
"""

import json
import sys
import time

import numpy as np
import torch
from fitting import Plan, fit
from short_lists import DEVICE, Texts, mixed, ndcg10
from texts import by_pool
from torch import nn
from torch.nn.functional import cross_entropy, normalize

READ = 172
DROPPED = 0.3
GROUP = 32
MEANINGS = [0, 0.2, 0.35, 0.5, 0.65, 1]


class Encoder(nn.Module):
    def __init__(self, texts, layers, width=256):
        super().__init__()
        self.texts = texts
        self.pieces = nn.Linear(256, width)
        self.places = nn.Parameter(torch.randn(texts.heads.shape[1] + READ, width) * 0.02)
        layer = lambda: nn.TransformerEncoderLayer(
            width, 4, 768, 0.1, "gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.ModuleList([layer() for _ in range(layers)])
        self.last = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 256))
        self.gate = nn.Parameter(torch.tensor(0.3))
        self.scale = nn.Parameter(torch.tensor(3.0))

    def forward(self, numbers, static, dropped=0.0):
        empty = (numbers < 0) | (torch.rand(numbers.shape, device=numbers.device) < dropped)
        rows = self.texts.table[numbers.clamp(min=0)].float() * (~empty)[..., None]
        summed = normalize(rows.sum(1), dim=1) if dropped else static.float()
        x = self.pieces(rows) + self.places[: numbers.shape[1]]
        empty[:, 0] = False
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=empty)
        kept = (~empty)[..., None]
        return normalize(summed + self.gate * self.last((x * kept).sum(1) / kept.sum(1)).float(), dim=1)

    def passages(self, at, dropped=0.0):
        texts = self.texts
        return self(torch.cat([texts.heads[at], texts.bodies[at][:, :READ]], 1), texts.vectors[at], dropped)

    def questions(self, at, dropped=0.0):
        return self(self.texts.asked[at], self.texts.asked_vectors[at], dropped)


def train(texts, lists, model, seconds, seed, held_out):
    generator = torch.Generator(DEVICE).manual_seed(seed)
    random = np.random.default_rng(seed)
    kept = [at for at, flag in enumerate(held_out.tolist()) if not flag]
    pools = by_pool(kept, lambda at: texts.questions[at][1])
    groups = [np.array([kept[at] for at in members]) for members in pools.values() if len(members) >= GROUP]
    share = np.array([len(group) ** 0.8 for group in groups])
    found, _, right, answer, _ = lists
    batch = 1536 if DEVICE == "cuda" else 64

    def loss_of_step():
        chosen = random.choice(len(groups), batch // GROUP, p=share / share.sum())
        at = np.concatenate([random.choice(groups[each], GROUP, replace=False) for each in chosen])
        at = torch.as_tensor(at, device=DEVICE)
        noise = torch.rand(found[at].shape, device=DEVICE, generator=generator)
        near = (
            found[at]
            .gather(1, torch.where(right[at] | (found[at] < 0), -1.0, noise).argmax(1)[:, None])[:, 0]
            .clamp(min=0)
        )
        both = torch.cat([answer[at], near])
        with torch.autocast(DEVICE, torch.bfloat16):
            asked, passages = model.questions(at, DROPPED), model.passages(both, DROPPED)
        likeness = model.scale.exp().clamp(max=60) * asked @ passages.T
        same = both[None, :] == answer[at][:, None]
        same[torch.arange(len(at)), torch.arange(len(at))] = False
        likeness = likeness.masked_fill(same, -1e4)
        truth = torch.arange(len(at), device=DEVICE)
        return cross_entropy(likeness, truth) + 0.5 * cross_entropy(likeness[:, : len(at)].T, truth)

    plan = Plan(seconds, rate=5e-4, warm_up=10, rise=50, fall=300, told=200)
    return batch * fit(model, plan, loss_of_step, lambda: f"gate {model.gate.item():.2f}")


@torch.no_grad()
def encoded(model, count, encode):
    blocks = []
    for start in range(0, count, 1024):
        with torch.autocast(DEVICE, torch.bfloat16):
            blocks.append(encode(torch.arange(start, min(count, start + 1024), device=DEVICE)))
    vectors = torch.cat(blocks)
    scale = vectors.abs().amax(1, keepdim=True) / 127
    return ((vectors / scale).round() * scale).half() if DEVICE == "cuda" else vectors


def quality(texts, vectors, asked_vectors):
    """nDCG@10 of each collection for each weight of meaning."""
    result = {}
    for name, collection in texts.collections.items():
        lists = [each for each in collection["lists"] if each["size"] == "whole" and each["sort"] == "own"]
        rows, first, values = collection["texts"], collection["first"], []
        group_of = {row["document"]: row.get("group") for row in rows}
        groups = by_pool(
            lists, lambda each: next((group_of[id] for id in each["relevant"] if id in group_of), None)
        )
        for group, members in groups.items():
            places = [first + at for at, row in enumerate(rows) if group is None or row.get("group") == group]
            asked = {lists[at]["asked"]: lists[at] for at in members}
            for block, lexical, dense in texts.scored(places, list(asked), vectors, asked_vectors):
                best = [
                    mixed(lexical, dense, each).topk(min(100, len(places)), 1).indices.tolist()
                    for each in MEANINGS
                ]
                for row, each in enumerate(asked[at] for at in block):
                    ranked = [[rows[places[at] - first]["document"] for at in found[row]] for found in best]
                    values.append(
                        [ndcg10(each["relevant"], documents, each["exclude"]) for documents in ranked]
                    )
        result[name] = np.mean(values, 0)
    return result


def held_out_ranks(texts, held_out, vectors, asked_vectors):
    """The mean reciprocal rank of the answers among all of their pool, for each weight of meaning."""
    kept = held_out.nonzero()[:, 0].tolist()
    passages = by_pool(texts.passages, lambda each: each[0])
    ranks = []
    for pool, members in by_pool(kept, lambda at: texts.questions[at][1]).items():
        place_of = {at: place for place, at in enumerate(passages[pool])}
        asked = [kept[at] for at in members][:400]
        for block, lexical, dense in texts.scored(passages[pool], asked, vectors, asked_vectors):
            for row, at in enumerate(block):
                answers = torch.tensor([place_of[each] for each in texts.questions[at][3]], device=DEVICE)
                sums = [mixed(lexical[row], dense[row], meaning) for meaning in MEANINGS]
                ranks.append([1 / (1 + int((each > each[answers].max()).sum())) for each in sums])
    return np.mean(ranks, 0)


def main(mined, folder, out, seconds, layers, seed=0):
    started = time.time()
    texts = Texts(mined, folder)
    lists, held_out = texts.lists(), texts.held_out()
    asked_count = len(texts.asked)
    print(
        f"{texts.mined} passages, {len(texts.questions)} questions, {time.time() - started:.0f} s", flush=True
    )
    results = {}

    def measure(name, vectors, asked_vectors):
        table = quality(texts, vectors, asked_vectors)
        table["mean"] = np.mean(list(table.values()), 0)
        table["held out"] = held_out_ranks(texts, held_out, vectors, asked_vectors)
        for at, meaning in enumerate(MEANINGS):
            results[f"{name} {meaning}"] = {key: round(float(row[at]), 4) for key, row in table.items()}
            print(name, meaning, results[f"{name} {meaning}"], f"{time.time() - started:.0f} s", flush=True)

    measure("ken-static-1", texts.vectors, texts.asked_vectors)
    for layers, seconds in zip(*(map(int, each.split(",")) for each in (layers, seconds))):
        torch.manual_seed(int(seed))
        model = Encoder(texts, layers).to(DEVICE)
        seen = train(texts, lists, model, seconds, int(seed), held_out)
        model.eval()
        print(
            f"layers {layers}, {sum(each.numel() for each in model.parameters())} weights, {seen} questions, "
            f"{time.time() - started:.0f} s",
            flush=True,
        )
        measure(
            f"context-{layers}",
            encoded(model, len(texts.bodies), model.passages),
            encoded(model, asked_count, model.questions),
        )
        torch.save(
            {key: value.half() for key, value in model.state_dict().items()}, f"{out}/context-{layers}.pt"
        )
    json.dump(results, open(f"{out}/context.json", "w"))


main(*sys.argv[1:])
