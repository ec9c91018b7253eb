"""Look whether everything a night needs is in place."""

from __future__ import annotations

from lib.doctor import examine
from lib.report import doctor_markdown
from lib.settings import Settings, settings_file
from tasks.artifacts import Markdown
from tasks.evidence import Evidence, evidence_task


@evidence_task("doctor")
def doctor_checks(settings: Settings) -> Evidence[None]:
    """Examine the machine; what is not ok and a night depends on refuses it, saying what to do."""
    findings = list(examine(settings, settings_file(None)))
    wrong = [finding for finding in findings if not finding.ok]
    said = "; ".join(f"{f.name}: {f.found} ({f.todo})" if f.todo else f"{f.name}: {f.found}" for f in wrong)
    stopped = any(finding.stops_a_night for finding in wrong)
    return Evidence(
        None,
        headline=said or f"all {len(findings)} checks ok",
        metrics={"checks": (len(findings), "checks"), "checks_not_ok": (len(wrong), "checks")},
        artifacts=(Markdown("doctor-report", doctor_markdown(findings), said or "everything is in place"),),
        refusal=said if stopped else None,
    )
