"""Commands that print what is generated: the schema, the chart of keys, Amplify's outputs."""

from pathlib import Path
from typing import Annotated

import orjson
import typer

from app.cli.command import OutputFile, app, console, read_settings
from app.key_chart import key_chart
from app.web.amplify.appsync_schema import appsync_schema
from app.web.amplify.outputs import amplify_outputs
from app.web.amplify.schema_module import schema_module
from app.web.schema import build_schema
from app.web.schema import export_schema as schema_text


@app.command()
def export_schema(
    output: OutputFile = None,
    appsync: Annotated[
        bool,
        typer.Option("--appsync", help="As AWS AppSync and Amplify's generator take it."),
    ] = False,
) -> None:
    """Print the GraphQL schema, or write it to a file (./scripts/export-schema: schema.graphql)."""
    text = schema_text()
    _print_or_write(appsync_schema(text) if appsync else text, output)


@app.command("amplify-outputs")
def print_amplify_outputs(
    output: OutputFile = None,
    types: Annotated[
        Path | None,
        typer.Option("--types", help="Also write the types of its client: a module in TypeScript."),
    ] = None,
) -> None:
    """Print an amplify_outputs.json for front ends that use AWS Amplify."""
    text = orjson.dumps(amplify_outputs(read_settings()), option=orjson.OPT_INDENT_2).decode()
    _print_or_write(text + "\n", output)
    if types is not None:
        _print_or_write(schema_module(build_schema()._schema), types)


@app.command()
def print_keys(output: OutputFile = None) -> None:
    """Print the chart of keys, or write it to a file (./scripts/print-keys: app/KEYS.md)."""
    _print_or_write(key_chart(), output)


def _print_or_write(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text)
        console.print(f"Wrote {output}.")
