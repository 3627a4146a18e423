"""The hooks of a lesson run; `names.py` lists them."""
