"""The records, their ids, errors, settings and plans: the values every other room speaks in."""
