"""Whether a model tells questions with an answer from near misses, beside the chance that ken gives."""

import numpy as np

TOP = 10
OWN = [0.85, 0.9, 0.95]


def evidence(lists, answers):
    """A row for each list: ken's chance, and what the model says of the first hits."""
    rows = []
    for each, out in zip(lists, answers):
        found = out[: len(each["texts"])][:TOP]
        chance = np.clip(max(each["chances"][:TOP], default=0.0), 1e-4, 1 - 1e-4)
        best = np.sort(found)[::-1]
        rows.append(
            [np.log(chance / (1 - chance)), best[0], best[1:3].mean() if len(best) > 1 else best[0], found[0]]
        )
    return np.array(rows)


def fitted(rows, own, weights):
    """Weights of a logistic regression, by Newton's method."""
    mean, spread = rows.mean(0), rows.std(0) + 1e-6
    x = np.c_[np.ones(len(rows)), (rows - mean) / spread]
    values = np.zeros(x.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-x @ values))
        slope = x.T @ (weights * (chance - own)) + 1e-3 * values
        curve = (x * (weights * chance * (1 - chance))[:, None]).T @ x + 1e-3 * np.eye(len(values))
        values -= np.linalg.solve(curve, slope)
    return lambda others: np.c_[np.ones(len(others)), (others - mean) / spread] @ values


def rates(cells, sums, threshold):
    """Mean share above a threshold over the cells of each sort, and the least of a cell of own questions."""
    above = {cell: float((sums[flags] > threshold).mean()) for cell, flags in cells.items()}
    mean = lambda sort: float(
        np.mean([rate for (_, _, each), rate in above.items() if each == sort] or [0.0])
    )
    least = min(rate for (_, _, sort), rate in above.items() if sort == "own")
    return {"own": mean("own"), "least own": least, "near": mean("near-miss"), "foreign": mean("foreign")}


def cells_of(keys):
    return {cell: np.array([key == cell for key in keys]) for cell in set(keys)}


def threshold_for(cells, sums, own):
    """At which the mean share of own questions that are answered is `own`."""
    low, high = sums.min() - 1, sums.max() + 1
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if rates(cells, sums, middle)["own"] > own else (low, middle)
    return low


def report_outcomes(texts, scored):
    """By signal: what is answered when a threshold, and weights, come from the other collections."""
    keys, rows = [], []
    for name, collection in texts.collections.items():
        lists = [each for each in collection["lists"] if each["texts"]]
        lists = [
            each
            for at, each in enumerate(lists)
            if each["sort"] != "own" or each["size"] != "whole" or at % 3 == 0
        ]
        order, answers = scored(
            collection,
            [{**each, "texts": each["texts"][:TOP], "scores": each["scores"][:TOP]} for each in lists],
        )
        rows.append(evidence(lists, answers))
        keys += [(name, str(each["size"]), each["sort"]) for each in lists]
    rows, names = np.concatenate(rows), np.array([key[0] for key in keys])
    cells = cells_of(keys)
    share = {cell: 1 / flags.sum() for cell, flags in cells.items()}
    weights = np.array(
        [share[key] * {"own": 1, "near-miss": 0.7, "foreign": 0.5}.get(key[2], 0.1) for key in keys]
    )
    own = np.array([key[2] == "own" for key in keys], float)
    results = {}
    for signal, columns in {
        "chance": [0],
        "model": [1],
        "model, more hits": [1, 2, 3],
        "both": [0, 1, 2, 3],
    }.items():
        sums = np.zeros(len(keys))
        for name in texts.collections:
            rest = names != name
            sums[~rest] = fitted(rows[rest][:, columns], own[rest], weights[rest])(rows[~rest][:, columns])
        for wanted in OWN:
            result = rates(cells, sums, threshold_for(cells, sums, wanted))
            results[f"{signal} at {wanted}"] = result
            print(signal, {key: round(value, 3) for key, value in result.items()}, flush=True)
        near = {
            cell: round(float((sums[flags] > threshold_for(cells, sums, 0.9)).mean()), 2)
            for cell, flags in cells.items()
            if cell[2] == "near-miss"
        }
        results[f"{signal}, near misses at .9"] = {" ".join(cell): rate for cell, rate in near.items()}
    return results
