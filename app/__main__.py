import gc

# What is imported stays for good: looking through it for garbage only makes the start slower.
gc.disable()

from app.cli import app  # noqa: E402

gc.freeze()
gc.enable()

app(prog_name="python -m app")
