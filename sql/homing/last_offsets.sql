-- Each joint's offset by the last homing of one arm, filmed in the same way, that found one surely enough.
SELECT variable, joint_offset
FROM homing_joint
JOIN homing USING (homing_id)
WHERE arm = ? AND source = ? AND joint_offset IS NOT NULL AND homing.state IN ('confident', 'unsure')
QUALIFY row_number() OVER (PARTITION BY variable ORDER BY homing.seq DESC) = 1
