"""JSON in and out: records as JSON, checks against declared types, fast encoding."""
