"""What a goal can be about: the skills and activities of the game, by name."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from app.core.errors import BadInput
from app.domains.characters.types import TargetAttribute, TargetAttributeKind, TargetType

OVERALL = "Overall"
SKILLS = (
    *(OVERALL, "Attack", "Defence", "Strength", "Hitpoints", "Constitution", "Ranged", "Prayer"),
    *("Magic", "Cooking", "Woodcutting", "Fletching", "Fishing", "Firemaking", "Crafting"),
    *("Smithing", "Mining", "Herblore", "Agility", "Thieving", "Slayer", "Farming"),
    *("Runecraft", "Runecrafting", "Hunter", "Construction", "Sailing", "Summoning"),
    *("Dungeoneering", "Divination", "Invention", "Archaeology", "Necromancy"),
)
# As the hiscores spell them, of both editions of the game. It gets new ones now and then: a name in
# the character's own hiscores is known too.
ACTIVITIES = (
    *("League Points", "Deadman Points", "Grid Points", "Bounty Hunter - Hunter"),
    *("Bounty Hunter - Rogue", "Bounty Hunter (Legacy) - Hunter"),
    *("Bounty Hunter (Legacy) - Rogue", "Clue Scrolls (all)", "Clue Scrolls (beginner)"),
    *("Clue Scrolls (easy)", "Clue Scrolls (medium)", "Clue Scrolls (hard)"),
    *("Clue Scrolls (elite)", "Clue Scrolls (master)", "LMS - Rank", "PvP Arena - Rank"),
    *("Soul Wars Zeal", "Rifts closed", "Colosseum Glory", "Collections Logged"),
    *("Abyssal Sire", "Alchemical Hydra", "Amoxliatl", "Araxxor", "Artio", "Barrows Chests"),
    *("Bryophyta", "Callisto", "Calvar'ion", "Cerberus", "Chambers of Xeric"),
    *("Chambers of Xeric: Challenge Mode", "Chaos Elemental", "Chaos Fanatic"),
    *("Commander Zilyana", "Corporeal Beast", "Crazy Archaeologist", "Dagannoth Prime"),
    *("Dagannoth Rex", "Dagannoth Supreme", "Deranged Archaeologist", "Doom of Mokhaiotl"),
    *("Duke Sucellus", "General Graardor", "Giant Mole", "Grotesque Guardians", "Hespori"),
    *("Kalphite Queen", "King Black Dragon", "Kraken", "Kree'Arra", "K'ril Tsutsaroth"),
    *("Lunar Chests", "Mimic", "Nex", "Nightmare", "Phosani's Nightmare", "Obor"),
    *("Phantom Muspah", "Sarachnis", "Scorpia", "Scurrius", "Skotizo", "Sol Heredit"),
    *("Spindel", "Tempoross", "The Gauntlet", "The Corrupted Gauntlet", "The Hueycoatl"),
    *("The Leviathan", "The Royal Titans", "The Whisperer", "Theatre of Blood"),
    *("Theatre of Blood: Hard Mode", "Thermonuclear Smoke Devil", "Tombs of Amascut"),
    *("Tombs of Amascut: Expert Mode", "TzKal-Zuk", "TzTok-Jad", "Vardorvis", "Venenatis"),
    *("Vet'ion", "Vorkath", "Wintertodt", "Yama", "Zalcano", "Zulrah"),
    *("Bounty Hunter", "B.H. Rogues", "Dominion Tower", "The Crucible", "Castle Wars Games"),
    *("B.A. Attackers", "B.A. Defenders", "B.A. Collectors", "B.A. Healers"),
    *("Duel Tournament", "Mobilising Armies", "Conquest", "Fist of Guthix"),
    *("GG: Athletics", "GG: Resource Race", "WE2: Armadyl Lifetime Contribution"),
    *("WE2: Bandos Lifetime Contribution", "WE2: Armadyl PvP Kills", "WE2: Bandos PvP Kills"),
    *("Heist Guard Level", "Heist Robber Level", "CFP: 5 Game Average", "AF15: Cow Tipping"),
    *("AF15: Rats Killed After the Miniquest", "RuneScore", "Clue Scrolls Easy"),
    *("Clue Scrolls Medium", "Clue Scrolls Hard", "Clue Scrolls Elite", "Clue Scrolls Master"),
)
TYPES_OF = {
    TargetAttributeKind.SKILL: [TargetType.xp, TargetType.level, TargetType.rank],
    TargetAttributeKind.ACTIVITY: [TargetType.score, TargetType.rank],
}
_SKILLS = {each.casefold(): each for each in SKILLS}
_ACTIVITIES = {each.casefold(): each for each in ACTIVITIES}
MOST_SUGGESTIONS = 3
# By difflib, 1 is equal: Zulra and Zulrah 0.91, Chambers and Chambers of Xeric 0.64.
SIMILAR = 0.7


def skill_named(text: str) -> str | None:
    """As the game spells it."""
    return _SKILLS.get(folded(text))


def folded(text: str) -> str:
    """The letter case and the number of spaces do not matter."""
    return " ".join(text.split()).casefold()


def distinct(names: Iterable[str]) -> list[str]:
    """Each once, as it was first spelled."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(folded(name), name)
    return list(found.values())


def known_attributes(kind: TargetAttributeKind | None) -> list[TargetAttribute]:
    names = {TargetAttributeKind.SKILL: SKILLS, TargetAttributeKind.ACTIVITY: ACTIVITIES}
    return [
        TargetAttribute(name=name, kind=each, target_types=TYPES_OF[each])
        for each in names
        if kind in (None, each)
        for name in names[each]
    ]


def to_attribute(text: str, target: TargetType, own_rows: Collection[str] = ()) -> str:
    """As the game spells it. A name that resembles a known one is taken for a mistake, unless it
    stands in the character's hiscores (`own_rows`, folded). Another one is an activity that is not
    in the list: a new one, or one whose progress the user records."""
    name = folded(text)
    if name in _SKILLS:
        _check_type(_SKILLS[name], target, TargetAttributeKind.SKILL)
        return _SKILLS[name]
    if name in _ACTIVITIES:
        _check_type(_ACTIVITIES[name], target, TargetAttributeKind.ACTIVITY)
        return _ACTIVITIES[name]
    suggestions = _suggestions(name, target)
    is_activity = target in TYPES_OF[TargetAttributeKind.ACTIVITY]
    if not is_activity or (suggestions and name not in own_rows):
        raise _unknown(text, target, suggestions)
    return " ".join(text.split())


def _check_type(name: str, target: TargetType, kind: TargetAttributeKind) -> None:
    allowed = TYPES_OF[kind]
    if target not in allowed:
        choices = ", ".join(each.value for each in allowed)
        raise BadInput(
            f"{name} is {'a skill' if kind is TargetAttributeKind.SKILL else 'an activity'}: "
            f"it has no {target.value}. Choose a targetType of {choices}.",
            field="input.targetType",
        )


def _suggestions(name: str, target: TargetType) -> list[str]:
    kinds = {TargetAttributeKind.SKILL: _SKILLS, TargetAttributeKind.ACTIVITY: _ACTIVITIES}
    known = {
        folded_name: spelled
        for kind, names in kinds.items()
        if target in TYPES_OF[kind]
        for folded_name, spelled in names.items()
    }
    near = get_close_matches(name, known, n=MOST_SUGGESTIONS, cutoff=SIMILAR)
    return [known[each] for each in near]


def _unknown(text: str, target: TargetType, suggestions: Sequence[str]) -> BadInput:
    what = "activity" if target is TargetType.score else "skill"
    hint = f"Did you mean {' or '.join(suggestions)}? " if suggestions else ""
    return BadInput(
        f"The game has no {what} {text!r}. {hint}The query targetAttributes lists all; what is new "
        "in the game is known once it stands in the character's hiscores.",
        field="input.targetAttribute",
        suggestions=list(suggestions),
    )
