"""What the hook's process needs before it may import anything: built-in modules only."""
