"""Stop the arm when the process that drives it is gone, then end.

    python guardian.py PORT_DESCRIPTOR [PID]

Standard input is the lifeline: the driver holds the other end of that pipe, and the kernel closes it
however the driver ends, ``kill -9`` included. A driver that ends in order writes one byte first. PID is a
process the driver works for, a flow or a worker: should that one go, the arm is stopped and the driver
told to end, so that it does not go on. Standard library only: this starts in 30 ms.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time

STOP = b"\xfe\xfe\x02\x29\xfa"
# A frame that the driver left half written swallows what follows it, up to its length.
REPEATS = 8
PAUSE_S = 0.03
IN_ORDER = b"q"
DRIVER_ENDS_WITHIN_S = 2.0


def main(arguments: list[str]) -> int:
    """Watch until the driver or the process it works for is gone; return 0."""
    port = int(arguments[0])
    works_for = int(arguments[1]) if len(arguments) > 1 else None
    for name in (signal.SIGINT, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(stop(port)))
    driver = os.getppid()
    poll = select.poll()
    poll.register(0, select.POLLIN)
    driver_gone, works_for_gone = _watch(poll, driver), _watch(poll, works_for)
    sys.stdout.write("watching\n")
    sys.stdout.flush()
    ready = [descriptor for descriptor, _ in poll.poll()]
    if 0 in ready and os.read(0, 1) == IN_ORDER:
        return 0
    stop(port)
    if works_for_gone in ready and not {0, driver_gone}.intersection(ready):
        _end(driver, port)
    return 0


def _watch(poll: select.poll, pid: int | None) -> int | None:
    """Watch a process by itself too: what it forked may hold the pipe open. Only Linux can."""
    if pid is None or not hasattr(os, "pidfd_open"):
        return None
    descriptor = os.pidfd_open(pid)
    poll.register(descriptor, select.POLLIN)
    return descriptor


def stop(port: int) -> int:
    """Write the stop frame until one was surely heard; return 0."""
    for _ in range(REPEATS):
        with contextlib.suppress(OSError):
            os.write(port, STOP)
        time.sleep(PAUSE_S)
    return 0


def _end(driver: int, port: int) -> None:
    """End the driver: asked first, told then; what it sent meanwhile is stopped."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(driver, signal.SIGTERM)
        ends = select.poll()
        ends.register(0, select.POLLIN)
        if not ends.poll(DRIVER_ENDS_WITHIN_S * 1000):
            os.kill(driver, signal.SIGKILL)
    stop(port)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
