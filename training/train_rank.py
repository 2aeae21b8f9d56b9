"""python3 training/train_rank.py MINED LISTS OUT SECONDS WIDTH LAYERS HIDDEN [SEED]: trains rerankers.

SECONDS, WIDTH, LAYERS and HIDDEN are lists with commas, a model each; how each fares is printed. The input is
the question, the names and the best part of a passage, and for each piece how near it is to those of the
question. HIDDEN is the share of pieces of which, in training, the model sees no more than that; at 1 it never
does. Two numbers come out: one for the order, and one that says whether the passage answers at all.
"""

import json
import sys
import time

import numpy as np
import torch
from fitting import Plan, fit
from outcomes import report_outcomes
from short_lists import ASKED, DEVICE, LISTED, SMALL, Texts, ndcg10
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, normalize

WINDOW = 120
SHOWN = 16
# Share of the names that are hidden in training.
UNNAMED = 0.25
# A question of more pieces is long.
LONG = 12
# Numbers of hits that are ordered anew.
DEPTHS = [16, 40]
# Share of each sort of question in what is trained on.
SHARES = {
    "heading": 0.26,
    "description": 0.06,
    "sentence": 0.05,
    "answer": 0.03,
    "comment": 0.2,
    "commit": 0.16,
    "title": 0.08,
    "claim": 0.16,
}
# Weights of the model beside the score of words and meaning; one is chosen on the questions held out.
MIXES = [0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1]


class Reranker(nn.Module):
    def __init__(self, texts, width, layers, hidden):
        super().__init__()
        self.texts, self.hidden = texts, hidden
        self.table = normalize(texts.table.float(), dim=1).to(SMALL)
        self.pieces = nn.Linear(256, width)
        self.places = nn.Embedding(ASKED + texts.heads.shape[1] + WINDOW, width)
        self.signs = nn.Linear(5 + ASKED, width)
        layer = lambda: nn.TransformerEncoderLayer(
            width, width // 32, width * 4, 0.1, "gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.ModuleList([layer() for _ in range(layers)])
        self.last = nn.Sequential(
            nn.LayerNorm(2 * width + 6), nn.Linear(2 * width + 6, width), nn.GELU(), nn.Linear(width, 2)
        )
        self.slope = nn.Parameter(torch.tensor(10.0))

    def forward(self, asked, passages, scores):
        texts, (count, shown) = self.texts, passages.shape
        question = texts.asked[asked][:, None].expand(-1, shown, -1)
        heads, bodies = texts.heads[passages], texts.bodies[passages]
        if self.training:
            heads = torch.where(torch.rand(count, 1, 1, device=DEVICE) < UNNAMED, -1, heads)
        passage = torch.cat([heads, self.best_part(question, bodies)], -1)
        same = self.shared(question, passage)
        in_heads, in_body = same[..., : heads.shape[-1]].any(-1), same[..., heads.shape[-1] :].any(-1)
        signs, rows = self.signs_of(question, passage, in_heads, in_body, same.any(-2))
        if self.training or self.hidden == 1:
            rows = rows * (torch.rand(rows.shape[:-1], device=DEVICE) >= self.hidden)[..., None]
        x = (self.pieces(rows) + self.places.weight + self.signs(signs)).flatten(0, 1)
        empty = (torch.cat([question, passage], -1) < 0).flatten(0, 1)
        empty[:, 0] = False
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=empty)
        kept = (~empty)[..., None]
        mean = lambda part, flags: (part * flags).sum(1) / flags.sum(1).clamp(min=1)
        both = [mean(x[:, :ASKED], kept[:, :ASKED]), mean(x[:, ASKED:], kept[:, ASKED:])]
        pooled = torch.cat(both, -1).view(count, shown, -1)
        total = self.rarity(question).sum(-1).clamp(min=1e-3)
        share = lambda flags: torch.where(flags, self.rarity(question), 0.0).sum(-1) / total
        anywhere = self.shared(question, bodies).any(-1)
        length = (bodies >= 0).sum(-1).clamp(min=1).log() / 6
        features = [scores, share(in_heads), share(in_body), share(anywhere), total, length]
        with torch.autocast(DEVICE, enabled=False):
            last = self.last(torch.cat([pooled.float(), torch.stack(features, -1).float()], -1))
            return (10 * torch.tanh(last / 10)).unbind(-1)

    def rarity(self, numbers):
        return torch.where(numbers >= 0, self.texts.rarity[numbers.clamp(min=0)], 0.0)

    def shared(self, one, other):
        """Whether each piece of one has the stem of each of the other."""
        stems = lambda numbers: torch.where(numbers >= 0, self.texts.stems[numbers.clamp(min=0)], -1)
        return (stems(one)[..., None] == stems(other)[..., None, :]) & (one >= 0)[..., None]

    def best_part(self, question, bodies):
        """The pieces of the window that has most of the question, the first of equal ones."""
        worth = torch.where(self.shared(bodies, question).any(-1), self.rarity(bodies), 0.0)
        sums = nn.functional.pad(worth.cumsum(-1), (1, 0))
        starts = torch.arange(0, bodies.shape[-1] - WINDOW + 1, 12, device=DEVICE)
        start = starts[(sums[..., starts + WINDOW] - sums[..., starts]).argmax(-1)]
        return bodies.gather(-1, start[..., None] + torch.arange(WINDOW, device=DEVICE))

    def signs_of(self, question, passage, in_heads, in_body, in_question):
        """What is known of each piece beside itself, and the rows of the pieces."""
        rows = lambda numbers: self.table[numbers.clamp(min=0)] * (numbers >= 0)[..., None]
        asked, read = rows(question), rows(passage)
        near = (asked @ read.transpose(-1, -2)).float()
        itself = (asked @ asked.transpose(-1, -2)).float()
        rare, one, none = (
            self.rarity(passage),
            torch.ones_like(near[..., 0]),
            torch.zeros_like(near[..., 0, :]),
        )
        of_question = [in_heads.float(), in_body.float(), self.rarity(question), near.amax(-1), one]
        of_passage = [in_question.float(), torch.where(in_question, rare, 0.0), rare, near.amax(-2), none]
        signs = torch.cat([torch.stack(of_question, -1), torch.stack(of_passage, -1)], -2)
        nearness = torch.cat([itself, near.transpose(-1, -2)], -2)
        return torch.cat([signs, nearness], -1), torch.cat([asked, read], -2).float()


def drawn(lists, at, generator):
    """Lists of SHOWN passages: the answer, the nearest of the others, and some that are further away."""
    found, scores, right, answer, answer_score = (each[at] for each in lists)
    noise = torch.rand(found.shape, device=DEVICE, generator=generator)
    order = torch.arange(LISTED, device=DEVICE) / LISTED + noise * 0.8
    order = torch.where(right | (found < 0), 9.0, order).argsort(1)[:, : SHOWN - 1]
    passages = torch.cat([answer[:, None], found.gather(1, order)], 1)
    near = torch.cat([answer_score[:, None], scores.gather(1, order)], 1)
    usable = torch.cat(
        [
            torch.ones_like(order[:, :1], dtype=torch.bool),
            ~right.gather(1, order) & (found.gather(1, order) >= 0),
        ],
        1,
    )
    return passages.clamp(min=0), near, usable


def train(texts, lists, model, seconds, seed, held_out):
    generator = torch.Generator(DEVICE).manual_seed(seed)
    kinds = [kind for kind, *_ in texts.questions]
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    shares = torch.tensor([SHARES[kind] / counts[kind] for kind in kinds], device=DEVICE) * ~held_out
    size = 64 if DEVICE == "cuda" else 4

    def loss_of_step():
        at = torch.multinomial(shares, size, generator=generator)
        passages, scores, usable = drawn(lists, at, generator)
        with torch.autocast(DEVICE, torch.bfloat16):
            order, answers = model(at, passages, scores)
        order = (order.float() + model.slope * scores).masked_fill(~usable, -1e4)
        truth = torch.zeros_like(order)
        truth[:, 0] = 1
        judged = binary_cross_entropy_with_logits(
            answers.float(), truth, reduction="none", pos_weight=torch.tensor(4.0, device=DEVICE)
        )
        return cross_entropy(order, torch.zeros_like(at)) + 0.5 * (judged * usable).sum() / usable.sum()

    plan = Plan(seconds, rate=1e-3, warm_up=20, rise=200, fall=1000, told=500)
    return size * fit(model, plan, loss_of_step, lambda: f"slope {model.slope.item():.1f}")


@torch.no_grad()
def scored(model, asked, passages, scores):
    outs = [[], []]
    for start in range(0, len(asked), 32):
        part = slice(start, start + 32)
        with torch.autocast(DEVICE, torch.bfloat16):
            both = model(asked[part], passages[part].clamp(min=0), scores[part])
        for out, each in zip(outs, both):
            out.append(each.float().cpu())
    return [torch.cat(out).numpy() for out in outs]


def with_lists(texts, collection, lists):
    """Tensors of lists of a collection: numbers of questions, passages and scores, filled up with -1 and 0."""
    depth = max(len(each["texts"]) for each in lists)
    passages = np.full((len(lists), depth), -1, np.int64)
    scores = np.zeros((len(lists), depth), np.float32)
    for row, each in enumerate(lists):
        places = np.array(each["texts"], np.int64)
        passages[row, : len(places)] = np.where(places < 0, -1, places + collection["first"])
        scores[row, : len(places)] = each["scores"]
    asked = torch.tensor([each["asked"] for each in lists])
    return [torch.as_tensor(each).to(DEVICE) for each in (asked, passages, scores)]


def orders(texts, model):
    """nDCG@10 of each collection by number of hits and mix, for all questions or those that are not long."""
    table = {f"{sort} {depth}": {} for sort in ("all", "short") for depth in DEPTHS}
    for name, collection in texts.collections.items():
        lists = [each for each in collection["lists"] if each["size"] == "whole" and each["sort"] == "own"]
        found = [each for each in lists if each["texts"]]
        order, _ = scored(model, *with_lists(texts, collection, found))
        long = [int((texts.asked[each["asked"]] >= 0).sum()) > LONG for each in found]
        for kind in table:
            depth, row = int(kind.split(" ")[1]), []
            for mix in MIXES:
                values = [0.0] * (len(lists) - len(found))
                for each, out, is_long in zip(found, order, long):
                    out = out * 0 if is_long and kind.startswith("short") else out
                    first = min(depth, len(each["texts"]))
                    total = np.array(each["scores"][:first]) + mix * out[:first]
                    ranked = [*np.argsort(-total, kind="stable"), *range(first, len(each["texts"]))]
                    values.append(
                        ndcg10(each["relevant"], [each["documents"][at] for at in ranked], each["exclude"])
                    )
                row.append(float(np.mean(values)))
            table[kind][name] = row
    return table


def chosen_mix(texts, lists, model, held_out):
    """The least mix with two thirds of the best gain on questions held out, and reciprocal ranks by mix."""
    found, scores, right, _, _ = lists
    useful = held_out & right.any(1)
    ranks = []
    for kind in sorted({kind for kind, *_ in texts.questions}):
        of_kind = torch.tensor([each[0] == kind for each in texts.questions], device=DEVICE)
        at = (useful & of_kind).nonzero()[:600, 0]
        if len(at) < 30:
            continue
        order, _ = scored(model, at, found[at], scores[at])
        hits, flags = scores[at].cpu().numpy(), right[at].cpu().numpy()
        row = []
        for mix in MIXES:
            ranked = np.argsort(-(hits + mix * order), axis=1, kind="stable")
            row.append(float(np.mean(1 / (1 + np.take_along_axis(flags, ranked, 1).argmax(1)))))
        print("held out", kind, len(at), [round(each, 3) for each in row], flush=True)
        ranks.append(row)
    mean = np.mean(ranks, 0)
    wanted = mean[0] + (mean.max() - mean[0]) * 2 / 3
    return int((mean >= wanted).argmax()), mean.round(4).tolist()


@torch.no_grad()
def round_to_bytes(model):
    """As the weights would be shipped: a byte each, and a factor for each row."""
    for weights in model.parameters():
        if weights.dim() == 2:
            factor = weights.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
            weights.copy_((weights / factor).round() * factor)


def main(mined, folder, out, seconds, width, layers, hidden, seed=0):
    started = time.time()
    texts = Texts(mined, folder)
    print(
        f"{texts.mined} passages, {len(texts.questions)} questions, {time.time() - started:.0f} s", flush=True
    )
    lists, held_out = texts.lists(), texts.held_out()
    print(
        f"answer in the list: {lists[2].any(1).float().mean():.3f}, first: {lists[2][:, 0].float().mean():.3f}, "
        f"held out {int(held_out.sum())}, {time.time() - started:.0f} s",
        flush=True,
    )
    for seconds, width, layers, share in zip(*(each.split(",") for each in (seconds, width, layers, hidden))):
        torch.manual_seed(int(seed))
        model = Reranker(texts, int(width), int(layers), float(share)).to(DEVICE)
        name = f"rank-{width}-{layers}-{share}"
        size = sum(each.numel() for each in model.parameters())
        seen = train(texts, lists, model, int(seconds), int(seed), held_out)
        model.eval()
        round_to_bytes(model)
        mix, means = chosen_mix(texts, lists, model, held_out)
        table = orders(texts, model)
        print(
            f"{name}: {size} weights, {seen} lists, mix {MIXES[mix]}, held out {means}, {time.time() - started:.0f} s"
        )
        for depth, rows in table.items():
            for collection, row in [*rows.items(), ("mean", np.mean(list(rows.values()), 0).tolist())]:
                print(
                    f"| {depth} | {collection} | {row[0]:.3f} | {row[mix]:.3f} |",
                    [round(each, 3) for each in row],
                    flush=True,
                )
        outcomes = report_outcomes(
            texts, lambda collection, each: scored(model, *with_lists(texts, collection, each))
        )
        json.dump(
            {"mixes": MIXES, "mix": mix, "held out": means, "ndcg": table, "outcomes": outcomes},
            open(f"{out}/{name}.json", "w"),
        )
        torch.save({key: value.half() for key, value in model.state_dict().items()}, f"{out}/{name}.pt")


main(*sys.argv[1:])
