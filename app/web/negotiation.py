"""Content negotiation between the two media types of GraphQL over HTTP."""

from functools import lru_cache

from app.web.http import HttpError

RESPONSE_JSON = "application/graphql-response+json"
JSON = "application/json"
EVENTS = "text/event-stream"
WILDCARDS = ("application/*", "*/*")


@lru_cache(maxsize=500)
def choose_media_type(accept: str | None) -> str:
    """The media type with the highest quality; JSON if the client has no preference."""
    if not accept:
        return JSON
    ranges = _ranges(accept)
    named = [media for media, _ in ranges if media in (RESPONSE_JSON, JSON)]
    best = max([*named, JSON, RESPONSE_JSON], key=lambda media: _quality_of(media, ranges))
    if not _quality_of(best, ranges):
        raise HttpError(406, f"Accept {RESPONSE_JSON} or {JSON}.", headers={"accept": JSON})
    return best


@lru_cache(maxsize=500)
def accepts_only_events(accept: str | None) -> bool:
    """Whether the client wants an event stream. urql accepts one beside JSON for every query, and
    JSON no more when it subscribes."""
    ranges = _ranges(accept or "")
    wants_events = any(media == EVENTS and quality for media, quality in ranges)
    return wants_events and not any(_quality_of(each, ranges) for each in (JSON, RESPONSE_JSON))


@lru_cache(maxsize=500)
def accepts_html(accept: str | None) -> bool:
    return any(media == "text/html" for media, _ in _ranges(accept or ""))


def _quality_of(media: str, ranges: list[tuple[str, float]]) -> float:
    """The most specific range that covers the type decides, as HTTP defines."""
    qualities = dict(reversed(ranges))
    return next((qualities[each] for each in (media, *WILDCARDS) if each in qualities), 0.0)


def _ranges(accept: str) -> list[tuple[str, float]]:
    found = []
    for each in accept.split(",")[:50]:
        media, *parameters = [piece.strip().lower() for piece in each.split(";")]
        qualities = [p[2:] for p in parameters if p.startswith("q=")]
        found.append((media, _parse_quality(qualities[0]) if qualities else 1.0))
    return found


def _parse_quality(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.0
