"""Only the gate can make the arm move: the syntax trees of the whole project say so."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import lib.arm.gate
from lib.arm.gate import through_the_gate

ROOT = Path(__file__).parents[3]

# Everything in pymycobot 4.0.7 by which joints, gripper or their registers move.
MOTION_METHODS = {
    "send_angle", "send_angles", "send_radians", "sync_send_angles", "send_coord", "send_coords",
    "sync_send_coords", "jog_angle", "jog_absolute", "jog_coord", "jog_rpy", "jog_increment",
    "jog_increment_angle", "jog_increment_coord", "set_encoder", "set_encoders", "set_encoders_drag",
    "go_home", "resume", "set_servo_data", "set_servo_calibration", "set_gripper_state",
    "set_gripper_value", "set_gripper_calibration", "init_gripper", "set_HTS_gripper_torque",
    "release_servo", "release_all_servos", "set_basic_output", "set_digital_output", "set_pwm_output",
    "joint_brake", "power_off",
}  # fmt: skip
# By these any frame can be written past the library's methods.
RAW = {"._mesg", "._write", "._serial_port", "._res", ".sock"}
RAW_ALLOWED = {
    "lib/arm/vendor.py": {
        "._serial_port",
        ".sock",
    },  # opens the line, reads its buffer, gives its descriptor
}
REFLECTION = {"getattr", "vars", "methodcaller", "attrgetter", "__getattribute__", "__dict__", "__getattr__"}
# Elsewhere dataclasses and argparse are asked for fields by name, and there is no arm.
NO_REFLECTION_IN = "lib/arm/"


def _sources() -> list[Path]:
    return [path for room in ("lib", "tasks", "flows") for path in sorted((ROOT / room).rglob("*.py"))]


@cache
def _names(path: Path) -> list[tuple[str, int, bool]]:
    """Every name, attribute and text of a file with its line, and whether it is a text.

    What an object calls of itself is its own: only names on other objects can be the library's.
    """
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            if ast.unparse(node.value) != "self":
                found.append((f".{node.attr}", node.lineno, False))
        elif isinstance(node, ast.Name):
            found.append((node.id, node.lineno, False))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append((node.value, node.lineno, True))
        elif isinstance(node, ast.alias):
            found.append((node.name, node.lineno, False))
        elif isinstance(node, ast.keyword) and node.arg:
            found.append((node.arg, node.lineno, False))
    return found


def test_the_gate_s_file_is_the_only_one_that_names_a_motion_method() -> None:
    gate = Path(lib.arm.gate.__file__)
    assert len(_sources()) > 100
    for path in _sources():
        if path != gate:
            named = [
                (name, line) for name, line, _ in _names(path) if name.removeprefix(".") in MOTION_METHODS
            ]
            assert named == [], f"{path}: {named}"


def test_in_the_gate_s_file_they_are_called_by_one_function_and_nowhere_else() -> None:
    tree = ast.parse(Path(lib.arm.gate.__file__).read_text(encoding="utf-8"))
    callers = {
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr in MOTION_METHODS
    }
    assert callers == {through_the_gate.__name__}
    in_functions = sum(
        isinstance(node, ast.Attribute) and node.attr in MOTION_METHODS
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    )
    everywhere = sum(
        isinstance(node, ast.Attribute) and node.attr in MOTION_METHODS for node in ast.walk(tree)
    )
    assert in_functions == everywhere == 3


def test_nobody_writes_frames_past_the_library_or_reaches_its_methods_by_name() -> None:
    for path in _sources():
        place = path.relative_to(ROOT).as_posix()
        for name, line, is_text in _names(path):
            raw = f".{name}" if is_text else name
            assert raw not in RAW or raw in RAW_ALLOWED.get(place, set()), f"{place}:{line}: {name}"
            if place.startswith(NO_REFLECTION_IN) and not is_text:
                # vars() of a request, for the log: a frozen dataclass, not the library.
                allowed = name == "vars" and place == "lib/arm/refusal.py"
                assert name.removeprefix(".") not in REFLECTION or allowed, f"{place}:{line}: {name}"


def test_nobody_outside_the_driver_reaches_for_the_library_s_object() -> None:
    for path in _sources():
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(NO_REFLECTION_IN):
            found = [(name, line) for name, line, is_text in _names(path) if name == ".api" and not is_text]
            assert found == [], place


def test_only_the_driver_s_opener_imports_pymycobot() -> None:
    importers = {
        path.relative_to(ROOT).as_posix()
        for path in _sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pymycobot"))
        or (isinstance(node, ast.Import) and any(alias.name.startswith("pymycobot") for alias in node.names))
    }
    assert importers == {"lib/arm/vendor.py"}


def test_every_byte_that_the_driver_writes_by_itself_is_a_stop() -> None:
    """`os.write` in lib/arm, outside the firmware, has the stop frame as its only argument."""
    written = []
    for path in sorted((ROOT / "lib" / "arm").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            to = ast.unparse(node.func.value)
            if node.func.attr in ("write", "send", "sendall") and to not in (
                "self._process.stdin",
                "sys.stdout",
            ):
                written.append((path.name, ast.unparse(node.args[-1])))
    assert {argument for _, argument in written} == {"STOP"}
