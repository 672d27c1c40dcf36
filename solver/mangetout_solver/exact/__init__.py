"""Exact solving: engines that prove values, each over a reduced state of its own."""
