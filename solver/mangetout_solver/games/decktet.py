"""The Decktet (P. D. Magnus): 36 basic cards of one or two of six suits, and the nine of the extended deck."""

from __future__ import annotations

from dataclasses import dataclass

# Letters of Moons, Suns, Waves, Leaves, Wyrms and Knots, in the customary order.
SUIT_LETTERS = "MSWLYK"

_SUIT_NAMES = dict(zip(SUIT_LETTERS, ("Moons", "Suns", "Waves", "Leaves", "Wyrms", "Knots"), strict=True))
_TITLES = {"X": "Crown", "P": "Pawn", "C": "Court"}
_NUMBER_CARDS = (
    "2MK Author, 2SY Desert, 2WL Origin, 3MW Journey, 3SK Painter, 3LY Savage, 4MS Mountain, 4WL Sailor, 4YK Battle, "
    "5ML Forest, 5SW Discovery, 5YK Soldier, 6MW Lunatic, 6SY Penitent, 6LK Market, 7ML Chance Meeting, 7SK Castle, "
    "7WY Cave, 8MS Diplomat, 8WL Mill, 8YK Betrayal, 9MS Pact, 9WY Darkness, 9LK Merchant"
)
_CROWNS = "XM Huntress, XS Bard, XW Sea, XL End, XY Calamity, XK Windfall"
_PAWNS = "PMSL Harvest, PMYK Watchman, PSWK Light Keeper, PWLY Borderland"
_COURTS = "CMWK Consul, CMLY Rite, CSWY Island, CSLK Window"


@dataclass(frozen=True)
class Card:
    """id: rank A, 2-9, X (Crown), P (Pawn) or C (Court), then the suits; EX for the Excuse, which has no suits. points:
    the rank; Ace 1, Crown 10, those of the extended deck 0. name: as printed."""

    id: str
    points: int
    suits: str
    name: str

    @property
    def is_ace(self) -> bool:
        return self.id[0] == "A"

    @property
    def words(self) -> str:
        """Such as "9 Pact", "Ace of Suns", "Bard (Crown of Suns)" or "Harvest (Pawn of Moons, Suns, Leaves)"."""
        if self.id[0] in _TITLES:
            return f"{self.name} ({_TITLES[self.id[0]]} of {', '.join(_SUIT_NAMES[suit] for suit in self.suits)})"
        return f"{self.points} {self.name}" if self.id[0].isdigit() else self.name


def _listed(text: str) -> list[tuple[str, str]]:
    return [(entry[: entry.index(" ")], entry[entry.index(" ") + 1 :]) for entry in text.split(", ")]


# The basic deck by rank, so that the number of a card tells which of two ranks higher; then the others.
CARDS: tuple[Card, ...] = (
    *(Card("A" + suit, 1, suit, f"Ace of {_SUIT_NAMES[suit]}") for suit in SUIT_LETTERS),
    *(Card(id_, int(id_[0]), id_[1:], name) for id_, name in _listed(_NUMBER_CARDS)),
    *(Card(id_, 10, id_[1:], name) for id_, name in _listed(_CROWNS)),
    *(Card(id_, 0, id_[1:], name) for id_, name in _listed(_PAWNS)),
    *(Card(id_, 0, id_[1:], name) for id_, name in _listed(_COURTS)),
    Card("EX", 0, "", "Excuse"),
)
BASIC_CARDS = CARDS[:36]
CARD_NUMBERS: dict[str, int] = {card.id: number for number, card in enumerate(CARDS)}
