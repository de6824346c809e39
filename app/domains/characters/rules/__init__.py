"""Decisions about characters and their goals, without any I/O."""
