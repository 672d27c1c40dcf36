"""Pepper. Corn!: the compiled rules. Importing the module makes the game known to `Position`."""
