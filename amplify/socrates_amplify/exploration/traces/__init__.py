"""What an explorer reads off traces and outcomes before it asks another question."""
