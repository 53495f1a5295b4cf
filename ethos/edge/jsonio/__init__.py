"""JSON in and out: shapes, schema checks, quick encoding."""
