"""Charts as SVG, drawn by matplotlib. Colours are CSS variables, so that one file suits light and
dark mode. Text of the user is inserted afterwards and escaped: it is never interpreted."""

import io
import re
import threading
from collections.abc import Sequence
from datetime import timedelta
from xml.sax.saxutils import escape

import matplotlib
import matplotlib.dates
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from app.domains.tracking.rules.charts import ChartContent, Curve, HeatMap

matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["svg.hashsalt"] = "guildhall"
matplotlib.rcParams["font.family"] = ["sans-serif"]

# name: (light mode, dark mode)
COLOURS = {
    "paper": ("#ffffff", "#0d1117"),
    "ink": ("#1f2328", "#f0f6fc"),
    "muted": ("#59636e", "#9198a1"),
    "grid": ("#d1d9e0", "#3d444d"),
    "line": ("#0969da", "#4493f8"),
    "mean": ("#bc4c00", "#f0883e"),
    "target": ("#1a7f37", "#3fb950"),
    "alert": ("#cf222e", "#f85149"),
    "done": ("#2da44e", "#2ea043"),
    "missed": ("#f4a9a8", "#8e2a2a"),
    "neutral": ("#80ccff", "#1f4f82"),
    "empty": ("#ebedf0", "#21262d"),
}
NAMES = list(COLOURS)
MEAN_DAYS = 7
DRAWING_LOCK = threading.Lock()
LONGEST_TITLE = 60


def colour(name: str) -> str:
    """A placeholder for the colour, replaced by its CSS variable after drawing."""
    return f"#a0b0{NAMES.index(name):02x}"


def draw(content: ChartContent) -> bytes:
    """One at a time: matplotlib is not thread-safe."""
    with DRAWING_LOCK:
        return _curve(content) if isinstance(content, Curve) else _heat_map(content)


def _curve(curve: Curve) -> bytes:
    figure, axes = _sheet(height=3.2)
    if curve.days:
        _lines(axes, curve)
        _scales(axes, curve)
        handles, labels = axes.get_legend_handles_labels()
        _legend(figure, handles, labels)
    else:
        _say(axes, "No logs in the last year")
    figure.tight_layout(rect=(0, 0.06, 1, 0.9))
    return _svg(figure, f"{_short(curve.title)} ({_short(curve.unit)})")


def _lines(axes: Axes, curve: Curve) -> None:
    dates = matplotlib.dates.date2num(list(curve.days))
    (line,) = axes.plot(dates, list(curve.values), ".-", linewidth=1, markersize=4)
    line.set(color=colour("line"), label="value")
    if curve.over > 1:
        (mean,) = axes.plot(dates[: curve.over], _means(curve), linewidth=2)
        mean.set(color=colour("mean"), label=f"mean of {MEAN_DAYS} days")
    low = "" if curve.high is not None else "threshold"
    for value, name, style, label in (
        (curve.target, "target", "--", "target"),
        (curve.high, "alert", ":", "threshold"),
        (curve.low, "alert", ":", low),
    ):
        if value is not None:
            axes.axhline(value, linewidth=1.2).set(color=colour(name), linestyle=style, label=label)


def _scales(axes: Axes, curve: Curve) -> None:
    """At least a week, in whole days, and some room around equal values: one log is a point in the
    middle of them."""
    first, last = curve.days[0], curve.days[-1]
    missing = max(timedelta(), timedelta(days=MEAN_DAYS - 1) - (last - first))
    begin, end = matplotlib.dates.date2num([first, last])
    axes.set_xlim(begin - missing.days / 2 - 0.5, end + missing.days / 2 + 0.5)
    locator = matplotlib.dates.AutoDateLocator(minticks=3, maxticks=8)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(matplotlib.dates.ConciseDateFormatter(locator))
    levels = [each for each in (curve.target, curve.low, curve.high) if each is not None]
    heights = [*curve.values, *levels]
    if max(heights) == min(heights):
        room = abs(heights[0]) * 0.1 or 1
        axes.set_ylim(heights[0] - room, heights[0] + room)


def _legend(figure: Figure, handles: Sequence[Artist], labels: Sequence[str]) -> None:
    """Below the picture, where no title runs into it."""
    figure.legend(
        handles,
        labels,
        loc="lower left",
        ncols=len(labels),
        frameon=False,
        fontsize=8,
        labelcolor=colour("muted"),
    )


def _say(axes: Axes, words: str) -> None:
    """Instead of an empty picture."""
    axes.set_xticks([])
    axes.set_yticks([])
    text = axes.text(0.5, 0.5, words, color=colour("muted"), fontsize=10, ha="center", va="center")
    text.set_transform(axes.transAxes)


def _means(curve: Curve) -> list[float]:
    """The mean of the seven days up to each day that is over."""
    means = []
    for day in curve.days[: curve.over]:
        since = day - timedelta(days=MEAN_DAYS - 1)
        near = [v for d, v in zip(curve.days, curve.values, strict=True) if since <= d <= day]
        means.append(sum(near) / len(near))
    return means


def _heat_map(heat_map: HeatMap) -> bytes:
    figure, axes = _sheet(height=1.9)
    first = heat_map.last - timedelta(days=364)
    monday = first - timedelta(days=first.weekday())
    squares, fills, months = [], [], {}
    for number in range(365):
        day = first + timedelta(days=number)
        week = (day - monday).days // 7
        squares.append(Rectangle((week, day.weekday()), 0.85, 0.85))
        fills.append(colour(heat_map.days.get(day, "empty")))
        if day.day == 1:
            months[week] = day.strftime("%b")
    axes.add_collection(PatchCollection(squares, facecolors=fills, edgecolors="none"))
    axes.set_xlim(-0.2, 53.2)
    axes.set_ylim(7.1, -0.2)
    axes.set_aspect("equal")
    axes.set_xticks([week + 0.4 for week in months], list(months.values()))
    axes.set_yticks([0.4, 2.4, 4.4], ["Mon", "Wed", "Fri"])
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    shades = [name for name in heat_map.words if name in heat_map.days.values()]
    patches = [Rectangle((0, 0), 1, 1, facecolor=colour(name)) for name in shades]
    if shades:
        _legend(figure, patches, [heat_map.words[name] for name in shades])
    else:
        axes.text(
            26, 3.5, "No logs yet", color=colour("muted"), fontsize=10, ha="center", va="center"
        )
    figure.tight_layout(rect=(0, 0.1, 1, 0.88))
    return _svg(figure, _short(heat_map.title))


def _sheet(*, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(8, height), facecolor=colour("paper"))
    FigureCanvasSVG(figure)
    axes = figure.add_subplot(facecolor=colour("paper"))
    axes.tick_params(colors=colour("muted"), labelsize=8, length=0)
    axes.grid(visible=True, color=colour("grid"), linewidth=0.5)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(colour("grid"))
    axes.xaxis.get_offset_text().set_color(colour("muted"))
    axes.yaxis.get_offset_text().set_color(colour("muted"))
    figure.text(0.02, 0.93, "@title@", color=colour("ink"), fontsize=11, va="center")
    return figure, axes


def _svg(figure: Figure, title: str) -> bytes:
    written = io.BytesIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Format": None})
    text = written.getvalue().decode()
    text = re.sub(r"#a0b0([0-9a-f]{2})", lambda mark: f"var(--{NAMES[int(mark[1], 16)]})", text)
    safe = escape("".join(letter for letter in title if letter.isprintable()))
    text = text.replace("@title@", safe)
    begin = text.index(">", text.index("<svg")) + 1
    return f"{text[:begin]}\n <title>{safe}</title>\n{_style()}{text[begin:]}".encode()


def _style() -> str:
    light, dark = (
        "; ".join(f"--{name}: {pair[side]}" for name, pair in COLOURS.items()) for side in (0, 1)
    )
    return (
        f" <style>svg {{ {light} }}"
        f" @media (prefers-color-scheme: dark) {{ svg {{ {dark} }} }}</style>"
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TITLE else f"{text[:LONGEST_TITLE]}…"
