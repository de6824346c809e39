"""Decisions about values and plans, without any I/O."""
