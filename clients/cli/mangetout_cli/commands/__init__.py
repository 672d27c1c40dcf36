"""The commands of `mangetout`, one module each. Each offers one function of the command's name."""
