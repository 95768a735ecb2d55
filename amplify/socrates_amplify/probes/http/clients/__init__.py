"""One module per HTTP library: patches its own seam, records each call, applies faults to it."""
