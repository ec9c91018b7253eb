"""The header line: which column of the file is which of ours, or why it cannot be a scan."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lib.errors import Problem
from lib.scan.content import COLUMNS
from lib.scan.refusal import Unreadable, shown

# j6, q7, J_06, "joint 7", j[6], q7_rad: a name by which people number joints.
_JOINT_NAME = re.compile(
    r"(?:j|q|joint|axis|theta)[ _.\-]?[\[(]?0*(?P<number>[0-9]{1,3})[\])]?"
    r"(?:[ _]?[\[(]?(?:deg|degrees?|rad|radians?)[\])]?)?"
)
_AXIS_NAME = re.compile(
    r"(?:(?:tcp|tip|tool|ee|eef|pos|position|p)[_. ]?)?(?P<axis>[xyz])(?:[_ ]?\[?mm?\]?)?"
)
_JOINTS = COLUMNS[3:]


def bare(name: str) -> str:
    """Return a column name without the spaces, quotes or byte order mark around it."""
    return name.strip(" \t\ufeff").removeprefix('"').removesuffix('"').strip(" \t")


def normalised(name: str) -> str:
    """Return a column name as it is compared: bare and in lower case."""
    return bare(name).lower()


def source_names(columns: Mapping[str, str] | None) -> dict[str, str]:
    """Return each of COLUMNS with the (normalised) name it has in the file.

    Raises Unreadable where a mapping leaves one column of the file to be read as two of ours.
    """
    renamed = {target: normalised(name) for name, target in (columns or {}).items()}
    for column in COLUMNS:
        if column not in renamed and column in renamed.values():
            taken = next(target for target, name in renamed.items() if name == column)
            raise Unreadable(
                Problem(None, column, "", f"--columns reads it as {taken}, which leaves none for {column}"),
                f"say which column is {column}: --columns {column}={taken},NAME={column}",
            )
    return {column: renamed.get(column, column) for column in COLUMNS}


def positions_of(
    names: Sequence[str], columns: Mapping[str, str] | None, line: int | None
) -> tuple[int, ...]:
    """Return where each of COLUMNS stands among the file's column ``names``.

    Raises Unreadable: more than six joints, a missing or a doubled column; ``line`` is the
    header's, for the message.
    """
    found = [normalised(name) for name in names]
    wanted = source_names(columns)
    _refuse_further_joints(found, wanted, line)
    missing = [column for column in COLUMNS if wanted[column] not in found]
    if missing:
        raise _missing(missing, wanted, found, line)
    for name in wanted.values():
        if found.count(name) > 1:
            raise Unreadable(
                Problem(line, name, f"{found.count(name)} times", "doubled column name"),
                "a scan has each column once; remove or rename the others",
            )
    return tuple(found.index(wanted[column]) for column in COLUMNS)


def ends_with_header(cells: Sequence[str], names: Sequence[str]) -> bool:
    """Say whether a line's last cells are the header's names, the first behind whatever was cut off there."""
    first, *others = map(normalised, names)
    last = [normalised(cell) for cell in cells[-len(names) :]]
    return len(last) == len(names) and last[0].endswith(first) and last[1:] == others


def _refuse_further_joints(found: Sequence[str], wanted: Mapping[str, str], line: int | None) -> None:
    sources = {wanted[joint] for joint in _JOINTS}
    numbered = [name for name in found if _JOINT_NAME.fullmatch(name) and name not in wanted.values()]
    joints = [name for name in found if name in sources or name in numbered]
    if len(set(joints)) > len(_JOINTS):
        further = ", ".join(dict.fromkeys(numbered))
        raise Unreadable(
            Problem(line, shown(further), f"{len(set(joints))} joint columns", "not a 6-joint scan"),
            "six joints do not say where such an arm is; remove these columns if they are no joints",
        )


def _missing(
    missing: Sequence[str], wanted: Mapping[str, str], found: Sequence[str], line: int | None
) -> Unreadable:
    absent = [
        column if wanted[column] == column else f"{wanted[column]} (for {column})" for column in missing
    ]
    rule = f"missing {'column' if len(missing) == 1 else 'columns'} {', '.join(absent)}"
    guess = _guessed_mapping(missing, found)
    advice = f"map what is named otherwise: --columns {guess or 'NAME=' + missing[0] + ',...'}"
    return Unreadable(Problem(line, None, shown(", ".join(found), limit=120), rule), advice)


def _guessed_mapping(missing: Sequence[str], found: Sequence[str]) -> str:
    """Spell the mapping that six numbered joints and x, y, z suggest; empty where they do not."""
    matches = {name: match for name in found if (match := _JOINT_NAME.fullmatch(name))}
    ordered = sorted(matches, key=lambda name: int(matches[name]["number"]))
    axes = {f"ee_{match['axis']}": name for name in found if (match := _AXIS_NAME.fullmatch(name))}
    sources = dict(zip(_JOINTS, ordered, strict=False)) if len(ordered) == len(_JOINTS) else {}
    sources.update(axes)
    if not all(column in sources for column in missing):
        return ""
    return ",".join(f"{sources[column]}={column}" for column in missing)
