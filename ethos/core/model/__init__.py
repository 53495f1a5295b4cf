"""The records, their ids, errors, settings and plans: the value types that all other packages use."""
