-- How do the joints' offsets from their encoders move from homing to homing?
SELECT
    variable,
    homing.started_utc,
    homing.state,
    value, unit, round(std, 4) AS std, confidence, encoder,
    round(joint_offset, 4) AS joint_offset,
    round(joint_offset - lag(joint_offset) OVER (PARTITION BY variable, homing.robot ORDER BY homing.started_utc), 4)
        AS moved,
    homing_id
FROM homing_joint JOIN homing USING (homing_id)
ORDER BY variable, homing.started_utc DESC
