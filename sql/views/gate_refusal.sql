-- Every motion that the safety gate refused, with the rule and the numbers.
CREATE VIEW gate_refusal AS
SELECT time_utc, arm, run_stem, rule, message, numbers, asked, task_run_id, flow_run_id, night_id, seq
FROM recorded.gate_refusal
