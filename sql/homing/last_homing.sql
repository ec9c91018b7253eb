-- The last homing of an arm: how it ended, and which joints it was not sure of.
SELECT homing_id, state, (
    SELECT coalesce(list(variable ORDER BY variable), [])
    FROM homing_joint AS joint
    WHERE joint.homing_id = homing.homing_id AND (confidence IS NULL OR confidence NOT IN ('high', 'medium'))
)
FROM homing
WHERE arm = $arm
ORDER BY seq DESC
LIMIT 1
