"""PEAS: the double-dummy engine, and what a player is sure of who does not see the other hand."""
