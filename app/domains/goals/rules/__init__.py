"""Decisions about goals, tasks and projects, without any I/O."""
