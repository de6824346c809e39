"""Decisions about quests, without any I/O."""
