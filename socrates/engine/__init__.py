"""The engine: files in, findings out. ``analyse`` one file, ``cache`` it, ``run`` them all."""
