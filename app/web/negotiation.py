"""Which of the two media types of GraphQL over HTTP a client wants."""

from functools import lru_cache

from app.web.http import Refused

RESPONSE_JSON = "application/graphql-response+json"
JSON = "application/json"
WILDCARDS = ("application/*", "*/*")


@lru_cache(maxsize=500)
def wanted(accept: str | None) -> str:
    """The best liked of what we have; JSON for whoever does not care."""
    if not accept:
        return JSON
    ranges = _ranges(accept)
    named = [media for media, _ in ranges if media in (RESPONSE_JSON, JSON)]
    best = max([*named, JSON, RESPONSE_JSON], key=lambda media: _liking(media, ranges))
    if not _liking(best, ranges):
        raise Refused(406, f"Accept {RESPONSE_JSON} or {JSON}.", headers={"accept": JSON})
    return best


@lru_cache(maxsize=500)
def wants_page(accept: str | None) -> bool:
    return any(media == "text/html" for media, _ in _ranges(accept or ""))


def _liking(media: str, ranges: list[tuple[str, float]]) -> float:
    """The narrowest range that covers it decides, as HTTP says."""
    liked = dict(reversed(ranges))
    return next((liked[each] for each in (media, *WILDCARDS) if each in liked), 0.0)


def _ranges(accept: str) -> list[tuple[str, float]]:
    found = []
    for each in accept.split(",")[:50]:
        media, *parameters = [piece.strip().lower() for piece in each.split(";")]
        qualities = [p[2:] for p in parameters if p.startswith("q=")]
        found.append((media, _quality(qualities[0]) if qualities else 1.0))
    return found


def _quality(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.0
