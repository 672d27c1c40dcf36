"""PEAS with both hands known: the double-dummy engine."""
