"""Nothing passes the gate that an independent kinematic test calls a touch, a limit or an unsafe angle."""

from __future__ import annotations

import numpy as np
import pytest

from lib.arm.gate import Move, judged
from tests.lib.arm import independent
from tests.lib.arm.test_gate import state

# A fifth of them outside the limits, so that each rule is met often.
BEYOND = 1.15
POSES_ALONG = 150


def random_targets(seed: int, count: int) -> np.ndarray:
    """Return random joint targets [deg], also outside the limits, of shape (count, 6)."""
    low, high = independent.LIMITS_DEG.T
    return np.random.default_rng(seed).uniform(low * BEYOND, high * BEYOND, (count, 6))


def gate_on_targets(targets: np.ndarray) -> tuple[np.ndarray, dict[str, int]]:
    """Ask the gate about each target, the arm standing there already; return who passes, and the rules."""
    passes, rules = np.zeros(len(targets), dtype=bool), dict[str, int]()
    for row, target in enumerate(targets.round(2).tolist()):
        verdict = judged(state(start_deg=tuple(target)), Move(target, 40))
        passes[row] = verdict.ok
        rules[verdict.rule] = rules.get(verdict.rule, 0) + 1
    return passes, rules


def check_targets(seed: int, count: int) -> tuple[float, dict[str, int]]:
    targets = random_targets(seed, count).round(2)
    passes, rules = gate_on_targets(targets)
    allowed = independent.allowed(targets)
    assert not (passes & ~allowed).any(), targets[passes & ~allowed][:3]
    # And what it refuses is refused for a reason: of what the other test allows nearly all passes.
    assert (passes & allowed).sum() >= 0.98 * allowed.sum()
    return float(passes.mean()), rules


def check_trajectories(seed: int, count: int) -> tuple[int, dict[str, int]]:
    """Straight ways in joint space between random targets, each sampled at 150 poses."""
    random, rules, passed = np.random.default_rng(seed), dict[str, int](), 0
    low, high = independent.LIMITS_DEG.T
    high = np.minimum(high, np.where(np.arange(6) == 4, 62.0, np.inf))
    low = np.maximum(low, np.where(np.arange(6) == 4, -92.0, -np.inf))
    shares = np.linspace(0, 1, POSES_ALONG)[:, None]
    for start in range(0, count, 100):
        ways = random.uniform(low, high, (min(100, count - start), 2, 6)).round(2)
        # Half of them short, as most motions are.
        ways[::2, 1] = (ways[::2, 0] + 0.15 * (ways[::2, 1] - ways[::2, 0])).round(2)
        kept = []
        for begin, target in ways:
            verdict = judged(state(start_deg=tuple(begin.tolist())), Move(target.tolist(), 40))
            rules[verdict.rule] = rules.get(verdict.rule, 0) + 1
            if verdict.ok:
                kept.append(begin + shares * (target - begin))
        if kept:
            along = np.concatenate(kept)
            # Where the arm is may be beyond a bound by what a motion may miss its target: the way leads in.
            inside = np.clip(along, *independent.ranges_deg())
            beyond = np.abs(along - inside).max(axis=1).reshape(len(kept), POSES_ALONG)
            assert (beyond[:, 0] <= state().context.at_rest_within_deg).all()
            assert (np.diff(beyond, axis=1) <= 1e-9).all() and not beyond[:, -1].any()
            bad = independent.touches(along)
            assert not bad.any(), along[bad][:3]
        passed += len(kept)
    return passed, rules


def test_3000_random_targets() -> None:
    share, rules = check_targets(seed=1, count=3000)
    assert 0.1 < share < 0.5
    assert {"limits", "safe range", "keep-out"} <= set(rules)


def test_150_random_trajectories() -> None:
    passed, rules = check_trajectories(seed=2, count=150)
    assert 40 < passed < 140
    assert rules["keep-out"] > 10


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_million_random_targets() -> None:
    share, rules = check_targets(seed=3, count=1_000_000)
    print(f"{share:.4f} pass; {rules}")


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_10_000_random_trajectories() -> None:
    passed, rules = check_trajectories(seed=4, count=10_000)
    print(f"{passed} of 10000 pass; {rules}")
