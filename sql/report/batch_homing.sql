-- The joints of one homing beside those of the last one before it of the same arm.
WITH asked AS (
    SELECT homing_id, arm, started_utc FROM homing WHERE homing_id = $homing_id
),
before AS (
    SELECT homing.homing_id
    FROM homing JOIN asked ON homing.arm IS NOT DISTINCT FROM asked.arm
    WHERE homing.started_utc < asked.started_utc AND homing.state IN ('confident', 'unsure')
    ORDER BY homing.started_utc DESC
    LIMIT 1
)
SELECT
    joint.variable, joint.value, joint.unit, joint.observable, joint.confidence, joint.std, joint.n_markers,
    joint.encoder, joint.joint_offset, was.joint_offset AS offset_before
FROM homing_joint AS joint
LEFT JOIN (SELECT * FROM homing_joint SEMI JOIN before USING (homing_id)) AS was USING (variable)
WHERE joint.homing_id = $homing_id
ORDER BY joint.variable
