"""Joint values from marker positions and normals: the chain and the original's four estimators."""

from lib.homing.marker_methods.chain import ChainJoint, JointProgress, accumulated_state, walk_chain
from lib.homing.marker_methods.estimators import estimate
from lib.homing.marker_methods.residual import MarkerEvidence, evidence_of, residuals_mm

__all__ = [
    "ChainJoint",
    "JointProgress",
    "MarkerEvidence",
    "accumulated_state",
    "estimate",
    "evidence_of",
    "residuals_mm",
    "walk_chain",
]
