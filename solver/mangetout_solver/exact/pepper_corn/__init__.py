"""Play of Pepper. Corn!, proven."""
