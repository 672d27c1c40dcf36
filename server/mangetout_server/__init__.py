"""The Mangetout service: rules and searches over gRPC."""

from mangetout_server.app import Server, serve
from mangetout_server.settings import Settings

__all__ = ["Server", "Settings", "serve"]
