"""`python -m mangetout_solver.exact.certificates FILE ...`: see `checker`."""

import sys

from mangetout_solver.exact.certificates.checker import main

sys.exit(main(sys.argv[1:]))
