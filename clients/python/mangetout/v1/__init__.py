"""The contract, version 1: generated messages and service stubs, one pair of modules for each file in proto/."""
