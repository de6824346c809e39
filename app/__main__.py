import gc

# Imported objects are never freed: visiting them would only slow the start (decisions/013).
gc.disable()

from app.cli import app  # noqa: E402

gc.freeze()
# Requests leave no reference cycles, so the collector has little to do. With Python's thresholds it
# would run several times for a page of 100 records, and a full collection stops the event loop.
gc.set_threshold(50_000, 20, 100)
gc.enable()

app(prog_name="python -m app")
