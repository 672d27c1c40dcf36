"""Searching under limits."""
