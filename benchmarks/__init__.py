"""Measurements of speed, compared with other libraries."""
