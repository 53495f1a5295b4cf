"""History: what changed between two times, salience over time, retention, erasure."""
