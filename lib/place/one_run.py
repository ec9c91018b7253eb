"""One run of the batch from the first look to what was learned. Read ``play`` as the table of contents."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lib.arm import check_path, check_way
from lib.place.aiming import Aims, Pose
from lib.place.album import Album
from lib.place.bench import Bench
from lib.place.book import Book
from lib.place.hand import HOME, Hand
from lib.place.judging import judge, measurement, place_row, seen_row
from lib.place.memory import Memory, learn
from lib.place.picking import Picking, PickPlan, opening
from lib.place.place_plan import PlacePlan, plan_place
from lib.place.refusal import NotPlaced, StopWished
from lib.place.servo import Look
from lib.place.servoing import Servoed, servo
from lib.place.sight import BOX, HAND, IMAGES, Looked, Sight, look, look_by_colour
from lib.place.states import HOLDING, Course, Event
from lib.place.verdict import Verdict
from lib.stop import asked_to_stop

# A scale off by more than this is no lens: the board or the markers have another size than their file says.
_SCALE_WITHIN = 0.03
# The fingers open far enough for this.
_NEAR_ENOUGH_M = 0.0025


@dataclass
class OneRun:
    """What is known of a run while it lasts."""

    bench: Bench
    book: Book
    hand: Hand
    aims: Aims
    album: Album
    run_stem: str
    course: Course
    started_s: float = field(default_factory=time.monotonic)
    memory: Memory | None = None
    servoed: Servoed | None = None
    found: Verdict | None = None
    pick: PickPlan | None = None
    row: Mapping[str, object] = field(default_factory=dict)
    """The placement as far as it is known when the block is let go."""

    # --- the whole ---

    def play(self) -> None:
        """Do the run; raises NotPlaced, StopWished, and the arm's failures."""
        self._go(Event.START, "the cameras look for block and box")
        self._ready()
        pick, place = self._look_and_plan()
        self._stop_if_asked()
        self._go(Event.SEEN, f"{pick.block.name} and the box are seen")
        pick = self._take(pick)
        self._stop_if_asked()
        self._go(Event.ARRIVED, "lifted")
        self._carry(pick, place)
        self._stop_if_asked()
        self._go(Event.ARRIVED, "above the box")
        self._lower(place)
        self._go(Event.ARRIVED, "at the height of release")
        self.servoed = self._servo(pick, place)
        self.hand.arm.check_held()
        self._go(Event.OVER_THE_BOX, self.servoed.reason)
        self._let_go(place)
        self._go(Event.RELEASED, "let go")
        self._retreat()
        self._go(Event.ARRIVED, "at home")
        self._verify(pick, place)
        assert self.found is not None
        self._go(Event.JUDGED, self.found.reason)

    def put_back(self) -> None:
        """Lay the held block where it was taken, and go home; raises the arm's failures."""
        pick = self.pick
        assert pick is not None
        self._go(Event.NOT_THERE, "the block goes back to where it was")
        lift = self.bench.waypoints.above(self._here(), [self.bench.settings.place.approach_m])
        via = _carrying(pick.ladder[-1], lift[-1]) if lift else None
        for pose in (lift[-1] if lift else None, via, pick.ladder[-1]):
            if pose is not None and check_way(self.hand.arm.context, [self._here(), pose]).ok:
                self.hand.go("PUTTING_BACK", pose)
        self.hand.follow("PUTTING_BACK", [*reversed(pick.ladder[:-1]), pick.aimed.pose_deg], pick.lookup)
        self.hand.open()
        self.hand.go("PUTTING_BACK", pick.ladder[-1])
        self.hand.go("PUTTING_BACK", HOME)

    def return_home(self) -> None:
        """Open the fingers, go up and home; raises the arm's failures."""
        up = self.bench.waypoints.above(self._here(), [self.bench.settings.place.approach_m])
        if self.hand.is_home:
            return
        self.hand.open()
        if up is not None and check_way(self.hand.arm.context, [self._here(), up[-1]]).ok:
            self.hand.follow("RETURNING_HOME", up, None)
        self.hand.go("RETURNING_HOME", HOME)

    def ends(self, event: Event, reason: str) -> None:
        """Take the last step of the course."""
        self._go(event, reason)

    # --- its parts ---

    def _ready(self) -> None:
        """Bring the arm home with open fingers."""
        self.hand.return_home("LOOKING")
        self.hand.open(opening(self.bench.settings, self.hand.arm.context))

    def _look_and_plan(self) -> tuple[PickPlan, PlacePlan]:
        seen = self._look("look", [name for name in self.bench.things if name != HAND])
        self._check_scale(seen)
        box = seen.sights.get(BOX)
        if box is None:
            raise NotPlaced("the box was not seen", "box not seen")
        self.memory = self.bench.memory_for(box.x_z_m)
        place = plan_place(self.bench, self.aims, box, self.memory)
        self.pick = self._picking.first(seen.sights, self.bench.pick_bias_m)
        return self.pick, place

    @property
    def _picking(self) -> Picking:
        bench = self.bench
        return Picking(bench.settings, self.hand.arm.context, self.aims, bench.waypoints, bench.manner)

    def _take(self, pick: PickPlan) -> PickPlan:
        """Grip the block; return the plan as it was corrected by a look at the hand above it."""
        self.hand.go("MOVING_TO_BLOCK", pick.ladder[-1], pick.lookup)
        pick = self._corrected(pick)
        down = [*reversed(pick.ladder[:-1]), pick.aimed.pose_deg]
        self.hand.follow("MOVING_TO_BLOCK", down, pick.lookup)
        self._go(Event.ARRIVED, "the fingers are around the block")
        if not self.hand.close():
            raise NotPlaced(f"nothing between the fingers where {pick.block.name} was seen", "not gripped")
        self._go(Event.HELD, "gripped")
        self.hand.follow("LIFTING", pick.ladder[-1:], None)
        self.hand.arm.check_held()
        return pick

    def _corrected(self, pick: PickPlan) -> PickPlan:
        """Look where the tip really is, and aim again where it is not where the table says."""
        seen = self._look("hand", [HAND], images=1).sights.get(HAND)
        if seen is None:
            return pick
        tip = self.bench.waypoints.tips(np.array([pick.ladder[-1]]))[0]
        x, y, z = (float(value) for value in np.array(seen.place_m) - tip)
        off_m = math.dist((x, y, z), self.bench.pick_bias_m)
        self.bench.pick_bias_m = (x, y, z)
        if off_m <= _NEAR_ENOUGH_M:
            return pick
        anew = self._picking.plan(pick.block, self.bench.pick_bias_m)
        if not isinstance(anew, PickPlan):
            raise NotPlaced(f"{pick.block.name}: {anew}", "no way to a block")
        self.hand.go("MOVING_TO_BLOCK", anew.ladder[-1], anew.lookup)
        self.pick = anew
        return anew

    def _carry(self, pick: PickPlan, place: PlacePlan) -> None:
        top = place.ladder[-1]
        via = _carrying(pick.ladder[-1], top)
        if check_path(self.hand.arm.context, [pick.ladder[-1], via, top]).ok:
            self.hand.go("MOVING_TO_PLACE", via)
        self.hand.go("MOVING_TO_PLACE", top, place.aimed.result)
        self.hand.arm.check_held()

    def _lower(self, place: PlacePlan) -> None:
        down = [*reversed(place.ladder[:-1]), place.aimed.pose_deg]
        self.hand.follow("LOWERING", down, place.aimed.result)

    def _servo(self, pick: PickPlan, place: PlacePlan) -> Servoed:
        name = pick.block.name

        assert self.memory is not None

        def seen() -> Sight | None:
            return self._look("held", [name]).sights.get(name)

        return servo(
            self.bench.settings, self.hand, self.aims, self.book, seen, place.target_m, place.height_m,
            place.aimed, self.memory.fall_m,
        )  # fmt: skip

    def _let_go(self, place: PlacePlan) -> None:
        assert self.servoed is not None and self.memory is not None
        self.row = place_row(
            place.target_m, place.height_m, place.height_correction_m, self.servoed,
            self.hand.reported_deg, self.memory,
        )  # fmt: skip
        self.hand.open()

    def _retreat(self) -> None:
        up = self.bench.waypoints.above(self._here(), [self.bench.settings.place.approach_m])
        if up is not None and check_way(self.hand.arm.context, [self._here(), up[-1]]).ok:
            self.hand.follow("RETURNING_HOME", up, None)
        self.hand.go("RETURNING_HOME", HOME)

    def _verify(self, pick: PickPlan, place: PlacePlan) -> None:
        """Judge by what the cameras see, write the placement down, learn from it."""
        assert self.servoed is not None and self.memory is not None
        name = pick.block.name
        sights = self._look("placed", [name, BOX]).sights
        self.found = judge(self.bench.settings, sights, name)
        rests = sights.get(name)
        aimed = self.servoed.aimed
        self.book.placed({**self.row, **seen_row(self.found, place.target_m, aimed, rests)})
        if self.found.place == "yes" and rests is not None:
            measured = measurement(aimed, rests, self.servoed.held, self.memory)
            self.bench.remember(learn(self.memory, measured, self.bench.settings.place.memory), self.run_stem)

    # --- what all parts use ---

    def _look(self, name: str, wanted: Collection[str], images: int = IMAGES) -> Looked:
        bench = self.bench
        seen = look(bench.watch, bench.things, wanted, bench.axes, bench.spread, images)
        missing = _missing(wanted, seen)
        if missing:
            by_colour = look_by_colour(
                bench.watch.placed, bench.watch.in_colour(), bench.things, missing, bench.axes
            )
            seen = replace(seen, sights={**seen.sights, **by_colour})
        if BOX in seen.sights:
            seen = replace(seen, sights={**seen.sights, BOX: self.bench.box.seen(seen.sights[BOX])})
        for moved in seen.moved:
            self.bench.say(f"{self.run_stem}: {moved}")
            self.book.measured(f"camera_moved_{moved.camera}", moved.moved_mm or float("nan"), "mm")
        if seen.pictures:
            self.album.keep(name, seen.pictures, self.bench.marks(seen))
        return seen

    def _check_scale(self, seen: Looked) -> None:
        if seen.scale is None:
            return
        self.book.measured("camera_scale", seen.scale, "")
        if abs(seen.scale - 1.0) > _SCALE_WITHIN:
            raise NotPlaced(
                f"the cameras measure {seen.scale:.2f} times what markers are known to be apart; check the "
                "sizes of board and markers in the robot file and in the settings",
                "camera scale",
            )

    def _stop_if_asked(self) -> None:
        wish = asked_to_stop()
        if wish is not None:
            raise StopWished(str(wish))

    def _here(self) -> Pose:
        here = self.hand.arm.read().joints_deg
        self.hand.reported_deg = here
        return here

    def _go(self, event: Event, reason: str) -> None:
        state = self.course.happened(event, time.monotonic() - self.started_s, reason)
        self.bench.say(f"{self.run_stem}: {state.value}: {reason}")

    @property
    def holds(self) -> bool:
        """Whether the block hangs between the fingers."""
        return self.course.state in HOLDING

    @property
    def looks(self) -> tuple[Look, ...]:
        """The looks of the servo."""
        return () if self.servoed is None else self.servoed.looks


def _missing(wanted: Collection[str], seen: Looked) -> list[str]:
    """Name what markers did not show: the box, and the blocks where none of those wanted was seen."""
    blocks = [name for name in wanted if name not in (BOX, HAND)]
    missing = [BOX] if BOX in wanted and BOX not in seen.sights else []
    return missing + ([] if any(name in seen.sights for name in blocks) else blocks)


def _carrying(low: Pose, high: Pose) -> Pose:
    """Return the pose of the higher one, turned to where the lower one is: up before aside."""
    return (low[0], *high[1:])
