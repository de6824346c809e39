"""Insights by statistics: weekday effect, linear trend, robust z-score, rank correlation, linear
prediction."""

import math
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from scipy import stats

from app.domains.tracking.rules.insights import Finding, Series
from app.domains.tracking.types import Direction, InsightType

SIGNIFICANCE = 0.05
PATTERN_DAYS = 14
ANOMALY_DAYS = 5
MOST_ANOMALIES = 5
LEVELS = ((3.0, "high"), (2.5, "medium"), (2.0, "low"))
# The median absolute deviation of a normal distribution, in standard deviations.
MAD_OF_NORMAL = 0.6745
CORRELATION_DAYS = 14
WEAKEST_CORRELATION = 0.4
PREDICTION_DAYS = 5
HORIZONS = (7, 30)
LONGEST_WAIT = 3650
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class StatisticalFinder:
    def find(
        self, kind: InsightType, series: Series, others: Sequence[Series], today: date
    ) -> list[Finding]:
        match kind:
            case InsightType.pattern:
                return [*weekday_pattern(series), *trend_pattern(series)]
            case InsightType.anomaly:
                return anomalies(series)
            case InsightType.correlation:
                return [found for other in others for found in correlation(series, other)]
            case _:
                return prediction(series, today)


def weekday_pattern(series: Series) -> list[Finding]:
    """Kruskal-Wallis test: do the weekdays differ?"""
    groups = _by_weekday(series)
    if len(series.values) < PATTERN_DAYS or len(groups) < 2:
        return []
    if len(set(series.values)) < 2:
        return []
    p = float(stats.kruskal(*groups.values()).pvalue)
    if not p < SIGNIFICANCE:
        return []
    means = {WEEKDAYS[day]: _round(np.mean(group)) for day, group in groups.items()}
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    content = {
        "kind": "weekday",
        "means": means,
        "highest": best,
        "lowest": worst,
        "p": _round_p(p),
    }
    text = f"{series.name} is highest on {best}s and lowest on {worst}s."
    return [Finding(InsightType.pattern, text, 1 - p, content)]


def _by_weekday(series: Series) -> dict[int, list[float]]:
    groups: dict[int, list[float]] = {}
    for day, value in zip(series.days, series.values, strict=True):
        groups.setdefault(day.weekday(), []).append(value)
    return {day: group for day, group in sorted(groups.items()) if len(group) >= 2}


def trend_pattern(series: Series) -> list[Finding]:
    if len(series.values) < PATTERN_DAYS or len(set(series.values)) < 2:
        return []
    line = stats.linregress(_day_numbers(series), series.values)
    if not line.pvalue < SIGNIFICANCE:
        return []
    weekly = float(line.slope) * 7
    word = "rises" if weekly > 0 else "falls"
    content = {"kind": "trend", "perWeek": _round(weekly), "p": _round_p(float(line.pvalue))}
    text = f"{series.name} {word} by {two_digits(abs(weekly))} {series.unit} a week."
    return [Finding(InsightType.pattern, text, 1 - float(line.pvalue), content)]


def anomalies(series: Series) -> list[Finding]:
    """By robust z-score (median absolute deviation); newest first."""
    values = np.asarray(series.values)
    if len(values) < ANOMALY_DAYS:
        return []
    median = np.median(values)
    deviation = np.median(np.abs(values - median))
    if deviation == 0:
        return []
    scores = MAD_OF_NORMAL * (values - median) / deviation
    found = [
        _anomaly(series, day, value, float(score), float(median))
        for day, value, score in zip(series.days, series.values, scores, strict=True)
        if level_of(float(score))
    ]
    return found[::-1][:MOST_ANOMALIES]


def level_of(score: float) -> str | None:
    return next((level for least, level in LEVELS if abs(score) >= least), None)


def _anomaly(series: Series, day: date, value: float, score: float, median: float) -> Finding:
    level = level_of(score)
    side = "above" if score > 0 else "below"
    text = f"{series.name} was {value:g} on {day}, far {side} the usual {two_digits(median)}."
    content = {
        "date": day.isoformat(),
        "value": _round(value),
        "median": _round(median),
        "z": _round(score),
        "severity": level,
    }
    confidence = float(1 - 2 * stats.norm.sf(abs(score)))
    return Finding(InsightType.anomaly, text, confidence, content)


def correlation(series: Series, other: Series) -> list[Finding]:
    """Spearman's rank correlation, on the days that both metrics have."""
    theirs = dict(zip(other.days, other.values, strict=True))
    mine = dict(zip(series.days, series.values, strict=True))
    days = [day for day in series.days if day in theirs]
    pairs = [mine[day] for day in days], [theirs[day] for day in days]
    if len(days) < CORRELATION_DAYS or any(len(set(each)) < 2 for each in pairs):
        return []
    result = stats.spearmanr(*pairs)
    r, p = float(result.statistic), float(result.pvalue)
    if abs(r) < WEAKEST_CORRELATION:
        return []
    way = "together with" if r > 0 else "against"
    content = {
        "metricId": other.metric_id,
        "name": other.name,
        "r": _round(r),
        "p": _round_p(p),
        "days": len(days),
    }
    text = f"{series.name} moves {way} {other.name}."
    return [Finding(InsightType.correlation, text, max(0.0, 1 - p), content)]


def prediction(series: Series, today: date) -> list[Finding]:
    """Linear regression with its 95 % prediction interval."""
    if len(series.values) < PREDICTION_DAYS:
        return []
    fit = _Regression(_day_numbers(series), series.values)
    first = series.days[0]
    ahead = [_point(fit, first, today + timedelta(days=days)) for days in HORIZONS]
    reached = _target_date(fit, series, today)
    content = {
        "perDay": _round(fit.slope),
        "rSquared": _round(fit.r_squared),
        "points": ahead,
        "target": series.target,
        "targetDate": reached.isoformat() if reached else None,
    }
    soon = ahead[-1]
    about = two_digits(soon["value"])
    text = f"{series.name} should be about {about} {series.unit} on {soon['date']}."
    if reached:
        text += f" It reaches {series.target:g} on {reached}."
    return [Finding(InsightType.prediction, text, fit.r_squared, content)]


class _Regression:
    def __init__(self, x: Sequence[float], y: Sequence[float]) -> None:
        xs, ys = np.asarray(x, float), np.asarray(y, float)
        line = stats.linregress(xs, ys)
        self.slope, self.intercept = float(line.slope), float(line.intercept)
        self.r_squared = 0.0 if math.isnan(line.rvalue) else float(line.rvalue) ** 2
        rest = ys - (self.intercept + self.slope * xs)
        self.free = len(xs) - 2
        self.error = math.sqrt(float(rest @ rest) / self.free)
        self.middle, self.count = float(xs.mean()), len(xs)
        self.spread = float(((xs - self.middle) ** 2).sum())

    def at(self, x: float) -> float:
        return self.intercept + self.slope * x

    def margin(self, x: float) -> float:
        """Half the width of the 95 % prediction interval."""
        width = 1 + 1 / self.count + (x - self.middle) ** 2 / self.spread
        return float(stats.t.ppf(0.975, self.free)) * self.error * math.sqrt(width)


def _point(fit: _Regression, first: date, day: date) -> dict[str, Any]:
    x = (day - first).days
    value, margin = fit.at(x), fit.margin(x)
    return {
        "date": day.isoformat(),
        "value": _round(value),
        "low": _round(value - margin),
        "high": _round(value + margin),
    }


def _target_date(fit: _Regression, series: Series, today: date) -> date | None:
    """The day, from today on; None: not within ten years, or the trend leads away from the
    target."""
    if series.target is None or fit.slope == 0:
        return None
    rising = fit.slope > 0
    if series.direction is not Direction.Target and rising != (
        series.direction is Direction.Higher
    ):
        return None
    x = math.ceil((series.target - fit.intercept) / fit.slope - 1e-9)
    wait = x - (today - series.days[0]).days
    if not 0 <= wait <= LONGEST_WAIT:
        return None
    return today + timedelta(days=wait)


def _day_numbers(series: Series) -> list[float]:
    return [(day - series.days[0]).days for day in series.days]


def two_digits(value: float) -> str:
    """Two significant digits, which is as much as such a number can say: 72, 0.0031, 12000."""
    return f"{Decimal(f'{value:.1e}').normalize():f}"


def _round(value: Any) -> float:
    """Six significant digits."""
    return float(f"{float(value):.6g}")


def _round_p(p: float) -> float:
    return float(f"{p:.2g}")
