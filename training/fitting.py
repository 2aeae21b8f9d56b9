"""Fits a model for so many seconds."""

import time
from dataclasses import dataclass

import torch
from torch import nn

# Steps that are timed: they tell how many there will be.
TIMED = 9


@dataclass
class Plan:
    seconds: int
    rate: float
    # Number of steps before those that are timed.
    warm_up: int
    # Number of steps in which the rate rises, and in which it falls at the least.
    rise: int
    fall: int
    # A line is printed after so many steps.
    told: int


def fit(model, plan, loss_of_step, state):
    """Returns the number of steps. `loss_of_step` draws examples; `state` is a word on the model for each line."""
    optimiser = torch.optim.AdamW(model.parameters(), plan.rate, (0.9, 0.98), weight_decay=0.02)
    timed = (plan.warm_up, plan.warm_up + TIMED)
    steps, step, losses, started = timed[1] + 1, 0, [], time.time()
    while step < steps:
        if step in timed:
            losses[-1].item()
            started, elapsed = time.time(), time.time() - started
        if step == timed[1]:
            steps = int(step + plan.seconds / (elapsed / TIMED))
            print("steps", steps, flush=True)
        for group in optimiser.param_groups:
            fallen = max(0.02, 1 - step / max(steps, plan.fall))
            group["lr"] = plan.rate * min(1, (step + 1) / plan.rise) * fallen
        loss = loss_of_step()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        losses.append(loss.detach())
        step += 1
        if step % plan.told == 0:
            print(f"{step} loss {torch.stack(losses[-plan.told :]).mean():.4f} {state()}", flush=True)
    return steps
