import gc

# What is imported stays for good: looking through it for garbage only makes the start slower.
gc.disable()

from app.cli import app  # noqa: E402

gc.freeze()
# Nearly everything that a request makes is freed without it; looked for as often as Python does by
# itself, garbage costs a tenth of the processor.
gc.set_threshold(50_000, 20, 100)
gc.enable()

app(prog_name="python -m app")
