"""`sql` answers, and cannot be made to write anything or to read outside the data folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from lib.errors import BadInput
from lib.runlog import close_logs, safe_query
from lib.runlog.connect import open_database
from lib.runlog.safe_query import ask_sql

from .sample import write_records, write_sample


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_sample(tmp_path_factory.mktemp("all") / "data")
    close_logs(folder)  # so that the views read Parquet files
    write_records(folder)
    (folder.parent / "secret.csv").write_text("secret\n42\n")
    (folder / "inbox").mkdir()
    (folder / "inbox" / "link.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "linked").symlink_to(folder.parent, target_is_directory=True)
    return folder


@pytest.fixture
def untouched(data_dir: Path) -> Iterator[None]:
    """Prove that a test neither changed nor made a file, around the data folder or in the working one."""

    def content() -> dict[str, str]:
        files = [p for folder in (data_dir.parent, Path.cwd()) for p in folder.glob("*") if p.is_file()]
        files += [p for p in data_dir.rglob("*") if p.is_file()]
        return {str(p): hashlib.md5(p.read_bytes()).hexdigest() for p in files}

    before = content()
    yield
    assert content() == before


def rows(data_dir: Path, text: str) -> list[tuple[object, ...]]:
    return list(ask_sql(data_dir, text).rows)


def attacks(data_dir: Path) -> list[str]:
    closed = next((data_dir / "runlog" / "closed" / "night").glob("*.parquet"))
    outside = data_dir.parent
    return [
        "FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        f"SELECT * FROM '{outside}/secret.csv'",
        "FROM read_text('/etc/passwd')",
        "FROM read_blob('/proc/self/environ')",
        "FROM read_json('/etc/passwd')",
        "FROM read_parquet('/etc/passwd')",
        "FROM parquet_metadata('/etc/passwd')",
        "FROM sniff_csv('/etc/passwd')",
        "FROM glob('/etc/*')",
        f"FROM glob('{data_dir}/**')",
        f"FROM read_csv('{data_dir}/inbox/link.csv')",
        f"FROM read_csv('{data_dir}/linked/secret.csv')",
        f"FROM read_csv('{data_dir}/../secret.csv')",
        f"FROM read_csv('{data_dir}/inbox/../../secret.csv')",
        "FROM read_csv('https://example.com/x.csv')",
        f"FROM read_duckdb('{data_dir}/fk.duckdb')",
        f"COPY (SELECT 1) TO '{outside}/out.csv'",
        f"COPY (SELECT 1) TO '{data_dir}/out.csv'",
        f"COPY (SELECT 1) TO '{closed}' (FORMAT parquet)",
        f"WITH x AS (COPY (SELECT 1) TO '{outside}/out.csv') FROM x",
        f"WITH x AS (COPY (SELECT 1) TO '{closed}' (FORMAT parquet)) FROM x",
        f"WITH x AS MATERIALIZED (COPY (SELECT 1) TO '{closed}' (FORMAT parquet)) SELECT 1",
        "FROM json_execute_serialized_sql(json_serialize_sql('WITH x AS (COPY (SELECT 1) TO "
        f"''{closed}'' (FORMAT parquet)) FROM x'))",
        "FROM query('SELECT 1')",
        "FROM query_table('night')",
        "WITH x AS (INSERT INTO log.night SELECT * FROM log.night RETURNING *) FROM x",
        "WITH x AS (DELETE FROM log.night RETURNING *) FROM x",
        f"ATTACH '{outside}/new.duckdb'",
        "ATTACH ':memory:' AS other",
        "DETACH fk",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "SET allowed_directories = ['/']",
        "PRAGMA database_list",
        "PRAGMA enable_profiling",
        "CALL pragma_version()",
        f"EXPORT DATABASE '{outside}/export'",
        f"IMPORT DATABASE '{outside}/export'",
        "CREATE TABLE t AS SELECT 1",
        "CREATE OR REPLACE VIEW night AS SELECT 1",
        "CREATE SECRET (TYPE s3)",
        "DROP VIEW night",
        "INSERT INTO log.night (night_id) VALUES ('x')",
        "UPDATE fk.fk_version SET rows = 0",
        "DELETE FROM fk.fk_point",
        "USE fk",
        "BEGIN",
        "COMMIT",
        "CHECKPOINT",
        "VACUUM",
        "PREPARE p AS SELECT 1",
        "EXPLAIN ANALYZE INSERT INTO log.night (night_id) VALUES ('x')",
        "SELECT 1; DROP VIEW night",
        "SELECT getenv('HOME')",
        "FROM enable_logging(storage = 'file', storage_path = '/tmp/x')",
        "FROM arrow_scan(1, 2, 3)",
        "FROM python_map_function()",
        "FROM duckdb_secrets()",
        "FROM data_dir",
        "",
        "-- nothing",
    ]


def refused(data_dir: Path, texts: list[str]) -> Iterator[tuple[str, str]]:
    """Send statements, one after the other, to one locked database; yield what is said to each."""
    database = open_database(data_dir)
    safe_query._lock(database)
    for text in texts:
        with pytest.raises(BadInput) as caught:
            list(safe_query._answer(database, text).rows)
            pytest.fail(f"answered: {text}")
        yield text, str(caught.value)
        database.con.execute("ROLLBACK")


def test_every_attack_is_refused_in_one_line_and_changes_no_file(data_dir: Path, untouched: None) -> None:
    for text, said in refused(data_dir, attacks(data_dir)):
        assert "\n" not in said, text
    assert rows(data_dir, "SELECT count(*) FROM night") == [(1,)]


def test_what_passes_the_first_wall_still_cannot_reach_a_file_outside(
    data_dir: Path, untouched: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safe_query, "the_one_question", lambda con, text: text)
    reaching = [text for text in attacks(data_dir) if "/etc/" in text or str(data_dir.parent) in text]
    # What only touches a file of the views is for the first wall alone.
    reaching = [text for text in reaching if ".parquet" not in text]
    assert len(reaching) > 20
    assert len(list(refused(data_dir, reaching))) == len(reaching)


def test_the_settings_cannot_be_opened_again(data_dir: Path) -> None:
    database = open_database(data_dir)
    safe_query._lock(database)
    for setting in (
        "enable_external_access = true",
        "allowed_paths = ['/etc/passwd']",
        "lock_configuration = false",
    ):
        with pytest.raises(duckdb.InvalidInputException, match="locked"):
            database.con.execute(f"SET {setting}")


ANSWERED: list[tuple[str, list[tuple[object, ...]]]] = [
    ("SELECT 1", [(1,)]),
    ("FROM range(3)", [(0,), (1,), (2,)]),
    ("VALUES (1, 'a')", [(1, "a")]),
    ("SELECT 1;  ", [(1,)]),
    ("-- a comment\nSELECT 2 -- another", [(2,)]),
    ("WITH x AS (SELECT 3 AS n) SELECT n FROM x UNION ALL SELECT 4 ORDER BY 1", [(3,), (4,)]),
    ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2) FROM r", [(1,), (2,)]),
    ("SELECT unnest([1, 2]), (SELECT max(fk_row) FROM fk_point)", [(1, 4), (2, 4)]),
    ("SELECT count(*) FROM fk_point SEMI JOIN fk_version USING (version)", [(5,)]),
    ("SELECT DISTINCT figures->>'rows' FROM fk_audit WHERE NOT ok AND state = 'blocked'", [("5",)]),
    (
        "SELECT name, row_number() OVER (ORDER BY name DESC) FROM fk_audit WHERE version = 2 "
        "QUALIFY row_number() OVER (ORDER BY name) = 1",
        [("conflicts", 2)],
    ),
    ("PIVOT (SELECT ok, version FROM fk_audit) ON ok IN (true) USING max(version)", [(3,)]),
]


@pytest.mark.parametrize(("text", "expected"), ANSWERED)
def test_what_analysts_write_is_answered(
    data_dir: Path, text: str, expected: list[tuple[object, ...]]
) -> None:
    assert rows(data_dir, text) == expected


@pytest.mark.parametrize("text", ["SHOW TABLES", "DESCRIBE night", "SUMMARIZE fk_point", "TABLE scan"])
def test_looking_around_is_answered(data_dir: Path, text: str) -> None:
    assert rows(data_dir, text)


def test_a_wrong_statement_is_told_in_duckdbs_words_on_one_line(data_dir: Path) -> None:
    with pytest.raises(BadInput, match=r'^sql: Parser Error: syntax error at or near "selct"$'):
        ask_sql(data_dir, "selct 1")
    with pytest.raises(
        BadInput, match=r'sql: Binder Error: Referenced column "nigth_id" not found .*"night_id"'
    ):
        ask_sql(data_dir, "SELECT nigth_id FROM night")
    with pytest.raises(
        BadInput, match=r"sql: Catalog Error: Table with name fk does not exist! The relations are .*fk_point"
    ):
        ask_sql(data_dir, "SELECT * FROM fk")
    with pytest.raises(BadInput, match="sql: Conversion Error: Could not convert string"):
        rows(data_dir, "SELECT CAST(state AS INTEGER) FROM night")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("INSTALL spatial", "INSTALL"),
        ("/* \u00e4 */ load spatial", "LOAD"),
        ("-- mine\nFORCE INSTALL spatial", "FORCE"),
        ("UPDATE EXTENSIONS", "UPDATE"),
        ("analyze", "ANALYZE"),
        ("BEGIN", "BEGIN"),
        ("EXPORT DATABASE 'x'", "EXPORT"),
        ("IMPORT DATABASE 'x'", "IMPORT"),
        ("CHECKPOINT", "CHECKPOINT"),
    ],
)
def test_a_statement_that_does_more_than_read_is_called_by_its_own_word(
    data_dir: Path, text: str, found: str
) -> None:
    with pytest.raises(BadInput, match=f"^found {found}, which does more than read; expected one SELECT"):
        ask_sql(data_dir, text)


@pytest.mark.parametrize("text", ["SELECT st_point(1, 2)", "FROM fk_point WHERE host('::1'::INET) = ''"])
def test_nobody_is_told_to_install_an_extension(data_dir: Path, text: str) -> None:
    with pytest.raises(
        BadInput, match=r"extension\. Questions are answered without extensions\.$"
    ) as refused:
        ask_sql(data_dir, text)
    assert "INSTALL" not in str(refused.value)


def test_columns_of_one_name_are_told_apart(data_dir: Path) -> None:
    answer = ask_sql(data_dir, "SELECT 1 AS n, 2 AS n, 3 AS n_2, 4 AS n")
    assert answer.columns == ("n", "n_2", "n_2_2", "n_3")
    assert list(answer.rows) == [(1, 2, 3, 4)]


def test_many_rows_come_in_order_and_whole(data_dir: Path) -> None:
    answer = ask_sql(data_dir, "SELECT range FROM range(25_001)")
    assert [n for (n,) in answer.rows] == list(range(25_001))


def test_views_are_read_through_a_data_folder_that_is_a_link_or_has_strange_letters(tmp_path: Path) -> None:
    folder = write_sample(tmp_path / "it's [1] * a=b")
    close_logs(folder)
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    for data_dir in (folder, tmp_path / "link"):
        assert rows(data_dir, "SELECT night_id, state FROM night") == [("n1", "finished")]
        assert rows(data_dir, "SELECT count(*) FROM fk_point") == [(5,)]
        assert rows(data_dir, "SELECT count(*) FROM scan") == [(3,)]
