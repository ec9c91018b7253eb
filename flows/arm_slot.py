"""One night an arm, also when nights run on several machines: a Prefect concurrency limit an arm.

On one machine arm_lock.py already says so, without a server; this is the same rule where the server
is all that two machines share. It never stops a night that has begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import httpx
from prefect import get_run_logger
from prefect.concurrency.sync import concurrency

from lib.errors import Busy

# A killed holder's slot is free again after this; while it works the lease is renewed.
LEASE_S = 60.0


def limit_name(arm: str) -> str:
    """Return the name of an arm's limit in Prefect."""
    return f"arm-{arm}"


@contextmanager
def arm_slot(arm: str) -> Iterator[None]:
    """Hold an arm's one slot for a block; raises Busy where another keeps it longer than a dead one could."""
    slot = concurrency(
        limit_name(arm),
        occupy=1,
        lease_duration=LEASE_S,
        timeout_seconds=LEASE_S + 30,
        raise_on_lease_renewal_failure=False,
    )
    held = ExitStack()
    try:
        held.enter_context(slot)
    except TimeoutError:
        raise Busy(f"Prefect's limit {limit_name(arm)} is taken: another machine runs a night") from None
    except httpx.HTTPError as error:
        get_run_logger().warning("Prefect could not be asked for the slot of arm %s: %s", arm, error)
    try:
        yield
    finally:
        with suppress(httpx.HTTPError):  # the server went away: the lease runs out by itself
            held.close()
