"""Decisions about rooms, threads, companies and offers, without any I/O."""
