"""Decisions about goals, tasks and projects: pure functions without I/O."""
