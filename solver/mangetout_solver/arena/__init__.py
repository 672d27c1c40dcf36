"""Measuring strength: tournaments of engine settings over duplicate deals. See docs/strength/measuring.md."""
