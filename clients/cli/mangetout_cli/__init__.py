"""The command line of Mangetout. It knows no rules: everything about a game comes from a server."""

import os

# gRPC's core writes lines of its own to standard error, beside the clear ones of this program. It reads the setting
# when it is loaded, so this comes before anything else.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
