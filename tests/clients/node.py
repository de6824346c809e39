"""Node and the packages of npm that a script beside this file needs."""

import asyncio
import shutil
from pathlib import Path

from tests.engines import NODE_MODULES, unavailable

HERE = Path(__file__).parent
SECONDS = 240


def find_node(*packages: str) -> str:
    found = shutil.which("node")
    if not found:
        unavailable("the clients need Node, and there is none")
    for package in packages:
        if not (NODE_MODULES / package).is_dir():
            unavailable(f"npm's {package} is not installed (scripts/install dev)")
    return found


async def run_node(*arguments: str | Path, packages: tuple[str, ...]) -> str:
    """What the program printed; it must end well."""
    process = await asyncio.create_subprocess_exec(
        find_node(*packages),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(SECONDS):
            printed, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, (printed.decode(), errors.decode())
    return printed.decode()
