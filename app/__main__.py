from app.cli import app

app(prog_name="python -m app")
