"""The conventions of app/ARCHITECTURE.md, each checked by reading the code."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from graphql import GraphQLObjectType, get_named_type

from app.core.errors import AppError
from app.key_chart import key_chart
from app.settings import ROOT, Settings
from app.web.schema import build_schema, export_schema

APP = ROOT / "app"
LONGEST_FUNCTION = 50
LONGEST_FILE = 350
# Their contracts name the one field that matters as an argument of its own.
ONE_WORD = {"refreshCharacter": "name", "quickAddTask": "text"}
DOMAIN_FILES = ("types", "inputs", "keys", "rules", "errors", "repository", "service", "schema")

# What each part may import, beside itself. One way only: nothing below knows what is above it.
MAY_IMPORT = {
    "core": set(),
    "settings": set(),
    "table": {"core"},
    "auth": {"core", "settings"},
    "events": {"core", "table"},
    "resources": {"core", "settings", "table", "auth", "events"},
    "domains": {"core", "settings", "table", "resources"},
    "nodes": {"core", "domains"},
    "search": {"core", "table", "domains"},
    "services": {"core", "resources", "domains", "nodes", "search"},
    "graph": {"core", "table", "auth", "events", "resources", "services"},
    "jobs": {"core", "settings", "table", "resources", "services", "domains", "graph"},
    "web": {
        "core",
        "settings",
        "table",
        "auth",
        "events",
        "resources",
        "domains",
        "services",
        "nodes",
        "search",
        "graph",
        "jobs",
    },
}
TOP = {
    "main",
    "cli",
    "demo",
    "key_chart",
    "log_files",
    "logs",
    "migration",
    "backup",
    "processes",
    "settings_check",
    "__main__",
}

# Inside a domain, downwards: schema -> service -> repository -> keys -> rules -> the records.
INSIDE_A_DOMAIN = {
    "schema": {"types", "inputs", "errors", "rules"},
    "service": {"repository", "keys", "types", "inputs", "errors", "rules"},
    "repository": {"keys", "types", "errors", "rules"},
    "keys": {"types"},
    # Limits stand in rules and bind inputs; decisions in rules may take an input. No module of both
    # imports itself: the test of cycles sees to it.
    "rules": {"inputs", "types", "errors"},
    "inputs": {"types", "rules"},
    "types": set(),
    "errors": {"types"},
}
# The only files of a domain that may use the typed context: they are the graph.
GRAPH_FILES = {"schema"}

# Names that stand for one thing in two modules, each with its reason.
SAME_NAME: dict[str, str] = {}


def modules() -> list[Path]:
    return sorted(APP.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path) -> Iterator[str]:
    """Every import, also those inside functions and those for the type checker."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def app_imports() -> Iterator[tuple[str, list[str]]]:
    for path in modules():
        for imported in imports_of(path):
            if imported.startswith("app."):
                yield name_of(path), imported.split(".")[1:]


def test_imports_go_one_way() -> None:
    wrong = []
    for module, imported in app_imports():
        part = module.split(".")[1] if "." in module else "app"
        if part in TOP or part == "app" or imported[0] == part:
            continue
        if imported[0] not in MAY_IMPORT[part] and not _is_graph(module, imported):
            wrong.append(f"{module} imports {'.'.join(imported)}")
    assert wrong == []


def _is_graph(module: str, imported: list[str]) -> bool:
    parts = module.split(".")
    return imported[0] == "graph" and parts[1] == "domains" and parts[3] in GRAPH_FILES


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = {name_of(path) for path in modules()}
    graph: dict[str, set[str]] = {name: set() for name in known}
    for path in modules():
        for imported in imports_of(path):
            target = imported if imported in known else imported.rpartition(".")[0]
            if target in known and target != name_of(path):
                graph[name_of(path)].add(target)
    list(TopologicalSorter(graph).static_order())


def test_nothing_is_imported_for_the_type_checker_alone() -> None:
    assert [name_of(path) for path in modules() if "TYPE_CHECKING" in path.read_text()] == []


def defined_names() -> Iterator[tuple[str, str]]:
    """Classes and aliases, with their module."""
    for path in modules():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                yield node.name, name_of(path)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if re.fullmatch("[A-Z][a-z]\\w+", name):
                    yield name, name_of(path)


def test_a_name_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for name, module in defined_names():
        homes.setdefault(name, []).append(module)
    several = {name: found for name, found in homes.items() if len(found) > 1}
    assert {name: found for name, found in several.items() if name not in SAME_NAME} == {}


def domain_imports() -> Iterator[tuple[str, str, list[str]]]:
    for module, imported in app_imports():
        parts = module.split(".")
        if parts[1:2] == ["domains"] and len(parts) > 3 and imported[0] == "domains":
            yield parts[2], parts[3], imported[1:]


def test_files_of_a_domain_build_on_each_other_in_order() -> None:
    wrong = [
        f"{domain}.{file} imports {'.'.join(imported)}"
        for domain, file, imported in domain_imports()
        if imported[0] == domain
        and imported[1] != file
        and file in INSIDE_A_DOMAIN
        and imported[1] in DOMAIN_FILES
        and imported[1] not in INSIDE_A_DOMAIN[file]
    ]
    assert wrong == []


def test_domains_meet_only_in_services_and_types() -> None:
    wrong = [
        f"{domain}.{file} imports {'.'.join(imported)}"
        for domain, file, imported in domain_imports()
        if imported[0] not in (domain, "service")
        and imported[1] not in ("service", "types", "errors", "rules")
    ]
    assert wrong == []


def test_domains_have_no_cycle() -> None:
    graph: dict[str, set[str]] = {}
    for domain, _, imported in domain_imports():
        if imported[0] not in (domain, "service"):
            graph.setdefault(domain, set()).add(imported[0])
    order = list(TopologicalSorter(graph).static_order())
    assert len(order) == len(set(order))


def test_only_the_table_knows_boto() -> None:
    boto = ("boto", "aioboto", "aiobotocore", "botocore")
    wrong = [
        name_of(path)
        for path in modules()
        if any(each.startswith(boto) for each in imports_of(path)) and "table" not in path.parts
    ]
    assert wrong == []


def domain_folders() -> list[Path]:
    return sorted(path for path in (APP / "domains").iterdir() if (path / "__init__.py").exists())


@pytest.mark.parametrize("folder", domain_folders(), ids=lambda folder: folder.name)
def test_every_domain_has_the_same_files(folder: Path) -> None:
    found = {path.stem for path in folder.iterdir()}
    assert set(DOMAIN_FILES) <= found


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{name_of(path)}.{node.name}", node


def test_functions_stay_short() -> None:
    sizes = {name: (node.end_lineno or 0) - node.lineno + 1 for name, node in functions()}
    assert {name: size for name, size in sizes.items() if size > LONGEST_FUNCTION} == {}
    assert sorted(sizes.values())[len(sizes) // 2] <= 8


def test_files_stay_short() -> None:
    sizes = {name_of(path): len(path.read_text().splitlines()) for path in modules()}
    assert {name: size for name, size in sizes.items() if size > LONGEST_FILE} == {}


def test_nothing_scans() -> None:
    """But the operator's migration: see decisions/009. The short way only carries it."""
    texts = {name_of(path): path.read_text() for path in modules()}
    scanning = [name for name, text in texts.items() if ".scan(" in text or '"scan"' in text]
    assert sorted(scanning) == ["app.table.direct", "app.table.scan"]
    walking = {module for module, imported in app_imports() if imported[:2] == ["table", "scan"]}
    assert walking == {"app.migration.run", "app.backup.copying"}


def test_every_root_field_is_guarded() -> None:
    schema = build_schema()
    for name in ("Query", "Mutation"):
        definition = schema.get_type_by_name(name)
        assert definition is not None
        fields = definition.fields  # type: ignore[union-attr]
        assert [field.name for field in fields if "guard" not in field.metadata] == []


def test_a_mutation_takes_one_input_named_after_it() -> None:
    mutation = build_schema()._schema.mutation_type
    assert isinstance(mutation, GraphQLObjectType)
    for name, field in mutation.fields.items():
        arguments = {key: str(value.type) for key, value in field.args.items()}
        # What Amplify's models take besides (app/web/amplify/conditions.py).
        condition = arguments.pop("condition", None)
        assert condition in (None, f"Model{get_named_type(field.type).name}ConditionInput")
        expected = f"{name[0].upper()}{name[1:]}Input!"
        # Where every field may be left out, so may the input.
        allowed = [{}, {"input": expected}, {"input": expected[:-1]}]
        if name in ONE_WORD:
            allowed = [{ONE_WORD[name]: "String", "input": expected[:-1]}]
        assert arguments in allowed, name


def error_classes(base: type[AppError] = AppError) -> Iterator[type[AppError]]:
    for each in base.__subclasses__():
        if each.__module__.startswith("app."):
            yield each
            yield from error_classes(each)


def test_every_error_code_is_documented() -> None:
    chart = (APP / "ERRORS.md").read_text()
    assert [each.code for each in error_classes() if f"`{each.code}`" not in chart] == []


def test_every_setting_is_documented() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [n for n in Settings.model_fields if f"`{n.upper()}`" not in readme] == []


def test_schema_file_is_fresh() -> None:
    assert (ROOT / "schema.graphql").read_text() == export_schema(), "run ./scripts/export-schema"


def test_key_chart_is_fresh() -> None:
    assert (APP / "KEYS.md").read_text() == key_chart(), "run ./scripts/print-keys"
