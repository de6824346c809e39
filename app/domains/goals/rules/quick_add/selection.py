"""Which phrases are taken out of the sentence: those in a place where they can only be meant so.

Phrases that stand side by side ("next tuesday" "at noon") form a cluster and are taken or left
together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.domains.goals.rules.quick_add.phrase import FLAGS, Meaning, Phrase, Strength, combine
from app.domains.goals.rules.quick_add.vocabulary import (
    CLAUSE_WORDS,
    PRECEDING_NOT_DATE,
    PREPOSITIONS,
    VERBS_LIKE_DAYS,
)

MOST_TAGS = 10

_WORD = re.compile(r"\w")
_NEW_CLAUSE = re.compile(rf" *[.;!?)]| +(?:{CLAUSE_WORDS})(?: |$)| +@")
_SEPARATOR = re.compile(r"[:,]| +- ")
_BETWEEN = re.compile(r"[ ,]*")
_ALTERNATIVE = re.compile(r" *(?:and|or|to|through|vs|&|-|/|, ?or|, ?and) *")
# A question word, or a pronoun right before, wants a verb.
_CLAUSE_WITH_VERB = re.compile(
    r"\b(?:where|who|whom|whose|when|why|how|which|what|that|whether)\b[^.,;:!?]*$|"
    r"\b(?:i|you|he|she|it|we|they) *$"
)
_RESTRICTION = re.compile(r" +(?:of|except|excluding|but)(?: |$)")


@dataclass(frozen=True, slots=True)
class Cluster:
    phrases: tuple[Phrase, ...]
    meaning: Meaning | None  # None: its phrases contradict each other

    @property
    def start(self) -> int:
        return self.phrases[0].start

    @property
    def end(self) -> int:
        return self.phrases[-1].end

    @property
    def is_mark(self) -> bool:
        return self.phrases[0].meaning.is_mark

    @property
    def strength(self) -> Strength:
        return max(phrase.strength for phrase in self.phrases)

    @property
    def is_appointment(self) -> bool:
        """A day, or a rule, and a time."""
        facts = self.meaning.facts if self.meaning else set()
        return bool(facts & {"due", "rule"}) and "at" in facts


def select_phrases(phrases: Sequence[Phrase], folded: str) -> list[Phrase]:
    has_rule = any(phrase.meaning.rule for phrase in phrases)
    usable = [phrase for phrase in phrases if has_rule or not _needs_rule(phrase.meaning)]
    clusters = _to_clusters(_within_tag_limit(usable), folded)
    possible = _without_alternatives(clusters, folded)
    while True:
        placed = _well_placed(possible, folded)
        chosen = _without_conflicts(placed)
        if len(chosen) == len(placed):
            return [phrase for cluster in chosen for phrase in cluster.phrases]
        # Words left in the title may end what stood "at the end" before.
        lost = {id(cluster) for cluster in placed} - {id(cluster) for cluster in chosen}
        possible = [cluster for cluster in possible if id(cluster) not in lost]


def _needs_rule(meaning: Meaning) -> bool:
    return bool(meaning.starts or meaning.ends or meaning.lasts)


def _within_tag_limit(phrases: Sequence[Phrase]) -> list[Phrase]:
    """The first #word is the area."""
    hashtags = [phrase for phrase in phrases if phrase.meaning.hashtag]
    tags = [phrase for phrase in phrases if phrase.meaning.tag or phrase in hashtags[1:]]
    return [phrase for phrase in phrases if phrase not in tags[MOST_TAGS:]]


def _to_clusters(phrases: Sequence[Phrase], folded: str) -> list[Cluster]:
    groups: list[list[Phrase]] = []
    for phrase in phrases:
        if groups and _is_beside(groups[-1][-1], phrase, folded):
            groups[-1].append(phrase)
        else:
            groups.append([phrase])
    return [Cluster(tuple(group), _meaning_of(group)) for group in groups]


def _is_beside(one: Phrase, other: Phrase, folded: str) -> bool:
    """A deadline after a day begins anew: "talk on friday by thursday"."""
    if one.meaning.is_mark or other.meaning.is_mark:
        return False
    if other.meaning.is_deadline and one.meaning.due and not other.meaning.is_day_open:
        return False
    return bool(_BETWEEN.fullmatch(folded, one.end, other.start))


def _meaning_of(phrases: Sequence[Phrase]) -> Meaning | None:
    both: Meaning | None = Meaning()
    for phrase in phrases:
        both = combine(both, phrase.meaning) if both else None
    return both


def _without_alternatives(clusters: list[Cluster], folded: str) -> list[Cluster]:
    """Of "today or tomorrow" and "friday to sunday", neither is the day."""
    dates = [cluster for cluster in clusters if not cluster.is_mark]
    undecided = set[int]()
    for one, other in pairwise(dates):
        if _ALTERNATIVE.fullmatch(folded, one.end, other.start):
            undecided |= {id(one), id(other)}
    return [each for each in clusters if each.meaning and id(each) not in undecided]


def _well_placed(clusters: Sequence[Cluster], folded: str) -> list[Cluster]:
    title = _without_marks(clusters, folded)
    taken, title_start, is_last = list[Cluster](), len(title), True
    for cluster in reversed(clusters):
        is_last = is_last and not _WORD.search(title, cluster.end, title_start)
        if _is_well_placed(cluster, folded, title, is_last=is_last):
            taken.insert(0, cluster)
        else:
            is_last = False
        title_start = cluster.start
    return taken


def _without_marks(clusters: Sequence[Cluster], folded: str) -> str:
    """Blanks instead of the marks, which count anywhere."""
    letters = list(folded)
    for cluster in clusters:
        if cluster.is_mark and cluster.strength is Strength.ANYWHERE:
            letters[cluster.start : cluster.end] = " " * (cluster.end - cluster.start)
    return "".join(letters)


def _is_well_placed(cluster: Cluster, folded: str, title: str, *, is_last: bool) -> bool:
    strength = cluster.strength
    if _is_about_something(cluster, folded):
        return False
    if strength is Strength.ANYWHERE or strength is Strength.ATTACHED:
        return strength is Strength.ANYWHERE
    if is_last:
        return True
    if not _WORD.search(title, 0, cluster.start):
        may_open = strength is Strength.OPENING or cluster.is_appointment
        if may_open or _SEPARATOR.match(folded, cluster.end):
            return True
    return strength >= Strength.CLAUSE and bool(_NEW_CLAUSE.match(folded, cluster.end))


def _is_about_something(cluster: Cluster, folded: str) -> bool:
    """As in "for tomorrow", "last friday", "2 days of food"."""
    before = folded[: cluster.start].rsplit(maxsplit=1)
    word = before[-1] if before else ""
    if word in ("yesterday", "not", "except"):
        return True
    first = cluster.phrases[0]
    about = PREPOSITIONS | {"the"} if first.strength is Strength.ANYWHERE else PRECEDING_NOT_DATE
    if first.is_bare and (word in about or _is_verb(cluster, folded)):
        return True
    return not cluster.is_mark and bool(_RESTRICTION.match(folded, cluster.end))


def _is_verb(cluster: Cluster, folded: str) -> bool:
    """In "ask where Ann sat"; but "sat 10am" is a day."""
    word = folded[cluster.start : cluster.end]
    return word in VERBS_LIKE_DAYS and bool(_CLAUSE_WITH_VERB.search(folded, 0, cluster.start))


def _without_conflicts(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Each fact once: a deadline before other days, then what is said first."""
    by_weight = sorted(clusters, key=lambda each: "is_deadline" not in _facts(each))
    has_rule = any("rule" in _facts(each) for each in clusters)
    taken, known = list[Cluster](), set[str]() if has_rule else {"starts", "ends"}
    for cluster in by_weight:
        news = _facts(cluster) - FLAGS - {"hashtag", "tag"}
        if not news & known:
            taken.append(cluster)
            known |= news
    return sorted(taken, key=lambda each: each.start)


def _facts(cluster: Cluster) -> set[str]:
    """`lasts` is another way to say `ends`."""
    facts = cluster.meaning.facts if cluster.meaning else set()
    return facts - {"lasts"} | {"ends"} if "lasts" in facts else facts
