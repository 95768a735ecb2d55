"""The fork server: a warm pytest process that is forked once per execution."""
