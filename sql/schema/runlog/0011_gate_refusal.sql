-- What the safety gate refused: the rule, the numbers, and what was asked for.
CREATE TABLE gate_refusal (
    time_utc      TIMESTAMPTZ,
    seq           BIGINT,
    arm           VARCHAR,
    run_stem      VARCHAR,
    rule          VARCHAR,
    message       VARCHAR,
    numbers       JSON,
    asked         JSON,
    task_run_id   VARCHAR,
    flow_run_id   VARCHAR,
    night_id      VARCHAR
);
