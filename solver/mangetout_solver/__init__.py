"""Rules, search and solving for Mangetout's games. `engine` is the door to it."""
