"""The games: rules, notation and the registry."""
