"""The audits of a merge: each a named rule with figures, all run before anything is published."""
