"""What drawings of traces share, on the page and in a terminal: lanes, and rows that are left out."""
