"""Easy Peasy: the hands that are possible, for the compiled rules."""
