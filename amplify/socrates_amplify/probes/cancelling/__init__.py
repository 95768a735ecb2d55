"""Tasks of asyncio that are cancelled where they wait."""
