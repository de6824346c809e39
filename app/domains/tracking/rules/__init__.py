"""Decisions about metrics, habits and the logbook, without any I/O."""
