"""A fresh pytest process per execution: slow, and right where a fork can't serve."""
