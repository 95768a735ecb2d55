"""What a defect means: its class, its severity, and which defects have one root cause.

Pure functions over results and evidence; nothing here runs or prints anything.
"""
