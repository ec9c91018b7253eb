"""Verification finds what changed under the table's feet, down to the value."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest

from lib.runlog import fk_file
from lib.settings import Settings
from lib.table import history, rollback, verify
from tests.lib.table.conftest import Ingest, measured, merged, poses


@pytest.fixture
def table(settings: Settings, ingest: Ingest) -> Settings:
    for seed, name in enumerate(("a.csv", "b.csv", "c.csv")):
        merged(settings, ingest(settings, name, measured(poses(700, seed))))
    return settings


def damage(settings: Settings, statement: str) -> None:
    with duckdb.connect(str(fk_file.path(settings.data_dir))) as connection:
        connection.execute(statement)


def test_an_untouched_table_verifies_every_version(table: Settings) -> None:
    found = verify(table.data_dir)
    assert found.ok and [(c.version, c.rows) for c in found.checks] == [(1, 700), (2, 1400), (3, 2100)]
    assert [c.recomputed_md5 for c in found.checks] == [v.content_md5 for v in history(table.data_dir)[0]]


def test_one_changed_float_is_found_named_and_compared_with_its_scan(table: Settings) -> None:
    damage(table, "UPDATE fk_point SET j3 = j3 + 1e-9 WHERE fk_row = 1000")
    found = verify(table.data_dir)
    assert [c.ok for c in found.checks] == [True, False, False]
    (place,) = found.damage
    assert place.startswith("fk_row 1000: j3 is ") and "line 302 of its scan b.csv says" in place


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM fk_point WHERE fk_row = 5",
        "UPDATE fk_point SET fk_row = 6 WHERE fk_row = 5",
        "INSERT INTO fk_point SELECT * REPLACE (2100 AS fk_row) FROM fk_point WHERE fk_row = 5",
    ],
)
def test_rows_that_are_gone_doubled_or_added_are_found(table: Settings, statement: str) -> None:
    damage(table, statement)
    assert not verify(table.data_dir).ok


def test_damage_behind_the_first_block_is_found_in_its_block(settings: Settings, ingest: Ingest) -> None:
    rng = np.random.default_rng(0)
    points = measured(np.round(rng.uniform(-80, 60, (70_000, 6)), 3))
    merged(settings, ingest(settings, "big.csv", points))
    damage(settings, "UPDATE fk_point SET ee_x = ee_x + 1e-12 WHERE fk_row IN (100, 65540)")
    places = verify(settings.data_dir).damage
    assert [p.split(":")[0] for p in places] == [
        "fk_row 100"
    ]  # the first full block; its repair shows the rest


def test_both_branches_after_a_rollback_verify(table: Settings, ingest: Ingest) -> None:
    rollback(table, 1)
    branch = merged(table, ingest(table, "d.csv", measured(poses(300, seed=9))))
    assert branch.parent == 1 and branch.rows == 1000
    found = verify(table.data_dir)
    assert found.ok and [(c.version, c.rows) for c in found.checks] == [
        (1, 700),
        (2, 1400),
        (3, 2100),
        (4, 1000),
    ]
