"""The verbs of the command line, one file a noun, listed here in the order `--help` shows them."""

from __future__ import annotations

from flows.commands import (
    arm,
    ask,
    calibrate,
    doctor,
    home,
    import_runs,
    lookup,
    memory,
    motions,
    night,
    report,
    scan,
    sql,
    start,
    table,
    up,
)

VERBS = (
    night.add_night,
    night.add_batch,
    start.add_init,
    scan.add_scan,
    table.add_table,
    lookup.add_lookup,
    home.add_home,
    calibrate.add_calibrate,
    arm.add_arm,
    motions.add_motions,
    memory.add_memory,
    import_runs.add_import_runs,
    report.add_report,
    sql.add_sql,
    ask.add_ask,
    up.add_up,
    doctor.add_doctor,
)
