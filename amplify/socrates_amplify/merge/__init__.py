"""``socrates merge``: reports and stores of several shards become one."""
