"""The services of the contract, one module each. They read, ask the solver and answer; errors are the interceptor's."""
