"""Decisions about notifications, without any I/O."""
