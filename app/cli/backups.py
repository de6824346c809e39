"""backup and restore."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.backup.copying import OnItemsCopied, back_up
from app.backup.copying import restore as restore_table
from app.cli.command import app, console, read_settings, run


@contextmanager
def _progress_bar(text: str) -> Iterator[OnItemsCopied]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(text, total=None)

        def show(done: int, total: int | None) -> None:
            progress.update(task, completed=done, total=max(total, done) if total else None)

        yield show


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="The file to write.")],
) -> None:
    """Write the whole table to a file, with a checksum; continues an interrupted backup.

    Servers may go on. From the embedded engine it is the state of one moment; from another table
    each item is as it was when it was read. SECRET_KEY (or DATA_DIR/secret.key) is not in it."""
    settings = read_settings(complete=False)

    async def main() -> None:
        with _progress_bar("Backing up") as show:
            count = await back_up(settings, file, show)
        console.print(f"Wrote {count} items to {file}.", highlight=False, soft_wrap=True)

    run(main())


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A backup.")],
) -> None:
    """Write a backup into an empty table; continues an interrupted restore.

    The file is checked first. Start the servers afterwards, with the SECRET_KEY that was used."""
    settings = read_settings(complete=False)

    async def main() -> None:
        with _progress_bar("Restoring") as show:
            count = await restore_table(settings, file, show)
        console.print(
            f"Restored {count} items into {settings.table_name}.", highlight=False, soft_wrap=True
        )

    run(main())
