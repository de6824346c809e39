"""Decisions about metrics and habits, without any I/O."""
