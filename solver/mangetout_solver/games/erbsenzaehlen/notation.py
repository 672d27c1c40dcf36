"""Erbsenzählen positions and steps as text; the grammar is in docs/notation/erbsenzaehlen.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mangetout_solver.errors import InputError, NotationError, PositionError
from mangetout_solver.games.erbsenzaehlen.positions import KINDS, SEATS, GameView, PlayerView, build
from mangetout_solver.games.game import MoveParts
from mangetout_solver.games.options import ChoiceOption, IntOption, IntsOption, format_options, parse_options
from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

MAX_GREEN_POINTS = 511

CARDS = IntsOption(
    "cards",
    "17,16,15,14,13,12",
    "Point cards of the values 1 to 6, green and red together.",
    min_length=6,
    max_length=6,
    low=0,
    high=31,
)
RED = IntsOption(
    "red",
    "3,3,3,3,3,3",
    "How many of the point cards of the values 1 to 6 are red.",
    min_length=6,
    max_length=6,
    low=0,
    high=31,
)
_MUSH = IntOption("mush", "21", "Pea mush cards.", low=0, high=99)
_THIEVES = IntOption("thieves", "5", "Pea thieves.", low=0, high=20)
_BAD_LUCK = IntOption("bad_luck", "5", "Bad luck peas.", low=0, high=20)
_BONUS = IntOption("bonus", "5", "Bonus peas.", low=0, high=20)
_GIANT_PEAS = IntOption(
    "giant_peas", "0", "Giant peas that are awarded in all and no more; 0: as many as are earned.", low=0, high=31
)
_PLACING = ChoiceOption(
    "placing", "may", "Whether point cards that are turned up may or must be placed.", choices=("may", "must")
)
_MISSED_TURNS = ChoiceOption(
    "missed_turns",
    "add_up",
    "Whether several bad luck peas on one player add up, or at most one missed turn is pending.",
    choices=("add_up", "one"),
)
_COMPLETION = ChoiceOption(
    "completion",
    "top",
    "Which card of each column a completed sequence takes: the top one, or the one its owner chooses.",
    choices=("top", "owner"),
)
_PARTNERS = ChoiceOption(
    "partners", "one", "Whether an exchange has one partner, or may pool several.", choices=("one", "pooled")
)
_UNLIMITED = IntOption(
    "unlimited_exchanges",
    "0",
    "0: one exchange per opponent and turn. Otherwise any number of them in which no position comes back, but at most "
    "this many between two events that cannot be undone.",
    low=0,
    high=7,
)
OPTIONS = (
    CARDS,
    RED,
    _MUSH,
    _THIEVES,
    _BAD_LUCK,
    _BONUS,
    _GIANT_PEAS,
    _PLACING,
    _MISSED_TURNS,
    _COMPLETION,
    _PARTNERS,
    _UNLIMITED,
)

_NAME = "erbsenzaehlen"
_HEADER = _NAME + r"(\{[^}\s]*\}?)?"
_NUMBER = r"(0|[1-9][0-9]{0,2})(?![0-9])"
_VALUE = "[1-6]"
_SORTS = KINDS[:12]
_CARD_WORDS = tuple([f"{colour} {value}" for value in range(1, 7) for colour in ("green", "red")])
_CARD_WORDS += ("pea mush card", "pea thief", "bad luck pea", "bonus pea")

# Kinds and numbers of steps, as in rules.pxd.
_DECIDE, _TRADE, _LEAVE, _TURN_UP = 0, 1, 2, 128
_USE_BONUS, _STEAL, _SKIP, _END, _EXCHANGE = 12, 16, 48, 63, 64
_GIVE, _TAKE, _NEXT, _DONE = 0, 8, 16, 17


def check_options(options: Mapping[str, Any]) -> None:
    """Raises InputError (``options.<name>``) for options that contradict each other."""
    for value, (cards, red) in enumerate(zip(options["cards"], options["red"], strict=True), start=1):
        if red > cards:
            reason = f"found {red} red cards of value {value}, expected at most the {cards} cards"
            raise InputError("options.red", reason)
    green = zip(options["cards"], options["red"], strict=True)
    points = sum(value * (cards - red) for value, (cards, red) in enumerate(green, start=1))
    if points > MAX_GREEN_POINTS:
        reason = f"found green cards worth {points} points, expected at most {MAX_GREEN_POINTS}"
        raise InputError("options.cards", reason)


def _number(reader: Reader, what: str) -> int:
    return int(reader.take(_NUMBER, f"{what}: a number up to 999"))


def _numbers(reader: Reader, what: Sequence[str]) -> list[int]:
    """Numbers with commas between."""
    found: list[int] = []
    for name in what:
        if found:
            reader.take(",", f"',' and the number of {name}")
        found.append(_number(reader, f"the number of {name}"))
    return found


def _seat(reader: Reader) -> int:
    return SEATS.index(reader.take("[A-E]", "a seat, A to E"))


def _seats(reader: Reader) -> list[int]:
    """Ascending seats, at least one."""
    found: list[int] = []
    while not found or re.match("[A-E]", reader.text[reader.at :]):
        if found and SEATS.index(reader.text[reader.at]) <= found[-1]:
            raise reader.error("seats in ascending order")
        found.append(_seat(reader))
    return found


def _player(reader: Reader) -> tuple[list[str], list[int]]:
    columns: list[str] = []
    for value in range(1, 7):
        if columns:
            reader.take(",", f"',' and the column of value {value}")
        columns.append(reader.take("-|[RG]+", "a column: R and G from bottom to top, or '-'").replace("-", ""))
    reader.take(";", "';' and the numbers of the player")
    return columns, _numbers(reader, ("giant peas", "mush cards", "thieves", "bad luck peas", "turns to miss"))


def _centre(reader: Reader) -> list[int]:
    found: list[int] = []
    for value in range(1, 7):
        if found:
            reader.take(",", f"',' and the cards of value {value}")
        found.append(_number(reader, f"the green cards of value {value}"))
        reader.take(r"\+", "'+' and the red cards")
        found.append(_number(reader, f"the red cards of value {value}"))
    reader.take(";", "';' and the other cards")
    return found + _numbers(reader, ("mush cards", "thieves", "bad luck peas", "bonus peas"))


def _hand(reader: Reader) -> tuple[list[int], int]:
    if reader.optional("-"):
        return [], 0
    drawn: list[int] = []
    while re.match(_VALUE, reader.text[reader.at :]):
        sort = _SORTS.index(reader.take(f"{_VALUE}[RG]", "a point card: its value and G or R"))
        if drawn and sort < drawn[-1]:
            reader.at -= 2
            raise reader.error("cards by ascending value, green before red")
        drawn.append(sort)
    bonus = len(reader.take(r"\+*", "'+'"))
    if not drawn and not bonus:
        raise reader.error("the hand: cards such as 4R, '+' for each bonus pea, or '-' for none")
    return drawn, bonus


def _barred(reader: Reader) -> list[list[tuple[int, int, int]]]:
    found: list[list[tuple[int, int, int]]] = []
    while not found or reader.optional(","):
        differences: list[tuple[int, int, int]] = []
        while not differences or re.match("[A-E]", reader.text[reader.at :]):
            start = reader.at
            seat, value = _seat(reader), int(reader.take(_VALUE, "a value, 1 to 6"))
            sign = reader.take("[-+]", "'+' or '-' and a number")
            difference = int(sign + str(_number(reader, "a difference")))
            if differences and (seat, value) <= differences[-1][:2]:
                reader.at = start
                raise reader.error("differences by seat and value")
            differences.append((seat, value, difference))
        found.append(differences)
    return found


def _chain(reader: Reader) -> dict[str, Any]:
    partners = _seats(reader)
    trades = []
    while step := re.match(r"[-+][1-6]|,", reader.text[reader.at :]):
        reader.at += len(step[0])
        trades.append(_trade_number(step[0]))
    return {"partners": partners, "trades": trades}


def _stage(reader: Reader) -> dict[str, Any]:
    phase = reader.take("draw|play|complete|end", "a stage: draw, play, complete or end")
    stage: dict[str, Any] = {"phase": phase}
    if phase == "end":
        return stage
    reader.take("/", "'/' and the seat whose turn it is")
    stage["seat"] = _seat(reader)
    if phase == "draw":
        reader.take("/", "'/' and the number of cards to turn up")
        stage["to_turn_up"] = _number(reader, "the cards to turn up")
        return stage
    if phase == "complete":
        reader.take("/", "'/', the seat that completes a sequence and the value of the column")
        stage["completing"] = (_seat(reader), int(reader.take(_VALUE, "a value, 1 to 6")))
    if reader.optional("/traded="):
        stage["traded"] = _seats(reader)
    if phase == "play":
        if reader.optional("/barred="):
            stage["barred"] = _barred(reader)
        if reader.optional("/x"):
            stage |= _chain(reader)
    return stage


def parse(text: str, field: str) -> Position:
    """Reads a position. Raises NotationError with the column, or PositionError, both under `field`."""
    reader = Reader(text, field)
    reader.skip_blanks()
    start = reader.at
    header = reader.take(_HEADER, repr(_NAME))
    options = parse_options(header[len(_NAME) :], OPTIONS, field, start + len(_NAME))
    reader.blanks("the players")
    players = [_player(reader)]
    while reader.optional("/"):
        players.append(_player(reader))
    if not 2 <= len(players) <= len(SEATS):
        raise PositionError(field, f"players: found {len(players)}, expected 2 to {len(SEATS)}")
    reader.blanks("the centre")
    centre = _centre(reader)
    reader.blanks("the hand")
    drawn, bonus = _hand(reader)
    reader.blanks("the stage")
    stage = _stage(reader)
    reader.skip_blanks()
    if reader.at < len(text):
        raise reader.error("the end of the position")
    columns, counts = zip(*players, strict=True)
    try:
        check_options(options)
        return build(columns, counts, centre, drawn=drawn, bonus=bonus, options=options, **stage)
    except InputError as error:
        raise PositionError(field, f"{error.field}: {error.reason}") from None


def _player_text(player: PlayerView) -> str:
    numbers = (player.giant_peas, player.mush, player.thieves, player.bad_luck, player.missed)
    return f"{','.join(column or '-' for column in player.columns)};{','.join(map(str, numbers))}"


def _letters(seats: Sequence[int]) -> str:
    return "".join(SEATS[seat] for seat in seats)


def _chain_text(game: GameView) -> str:
    parts = []
    for trade in game.trades:
        cards = [(-value, "-") for value in trade.given] + [(-value, "+") for value in trade.taken]
        # By descending value; '-' is to come before '+'.
        cards.sort(key=lambda card: (card[0], card[1] == "+"))
        parts.append("".join(f"{sign}{-value}" for value, sign in cards))
    return f"x{_letters(game.partners)}{','.join(parts)}"


def _stage_text(game: GameView) -> str:
    if game.seat is None:
        return game.phase
    text = f"{game.phase}/{SEATS[game.seat]}"
    if game.phase == "draw":
        return f"{text}/{game.to_turn_up}"
    if game.completing is not None:
        text += f"/{SEATS[game.completing[0]]}{game.completing[1]}"
    if game.traded:
        text += f"/traded={_letters(game.traded)}"
    if game.barred:
        entries = ["".join(f"{SEATS[seat]}{value}{more:+d}" for seat, value, more in entry) for entry in game.barred]
        text += f"/barred={','.join(sorted(entries))}"
    if game.partners:
        text += f"/{_chain_text(game)}"
    return text


def format_game(game: GameView) -> str:
    """The canonical notation."""
    players = "/".join(map(_player_text, game.players))
    points = ",".join(f"{game.centre[sort]}+{game.centre[sort + 1]}" for sort in range(0, 12, 2))
    hand = "".join(sort * count for sort, count in zip(_SORTS, game.drawn, strict=True)) + "+" * game.bonus
    centre = f"{points};{','.join(map(str, game.centre[12:]))}"
    return f"{_NAME}{format_options(game.options, OPTIONS)} {players} {centre} {hand or '-'} {_stage_text(game)}"


def steps_of(word: str) -> list[str]:
    """The steps that a word of a record consists of: an exchange or a sequence, or a part of one."""
    parts = re.findall(r"[-+^][^-+^,.]*|[,.]|[^-+^,.]+", word)
    return parts if "".join(parts) == word and all(map(continues_word, parts[1:])) else [word]


def continues_word(step: str) -> bool:
    """Whether a step stands in one word with the step before."""
    return step[0] in "-+,." or (step[0] == "^" and step[1:2] != "1")


def _trade_number(step: str) -> int:
    if step in (",", "."):
        return _NEXT if step == "," else _DONE
    return (_GIVE if step[0] == "-" else _TAKE) + int(step[1]) - 1


_DECISION = re.compile(
    rf"(?P<sort>{_VALUE}[GR])|(?P<bonus>bonus)|(?P<end>end)|thief@(?P<victim>[A-E])(?P<value>{_VALUE})"
    r"|luck@(?P<skipped>[A-E])|x(?P<partners>[A-E]+)"
)


def _decision_number(text: str) -> int | None:
    match = _DECISION.fullmatch(text)
    if match is None:
        return None
    if match["sort"]:
        return _SORTS.index(match["sort"])
    if match["victim"]:
        return _STEAL + 6 * SEATS.index(match["victim"]) + int(match["value"]) - 1
    if match["skipped"]:
        return _SKIP + SEATS.index(match["skipped"])
    if match["partners"]:
        partners = match["partners"]
        if list(partners) != sorted(set(partners)):
            return None
        return _EXCHANGE + sum(1 << SEATS.index(letter) for letter in partners)
    return _USE_BONUS if match["bonus"] else _END


def parse_step(text: str, field: str) -> int:
    """The number of a step, legal or not. Raises NotationError."""
    if (decision := _decision_number(text)) is not None:
        return _DECIDE << 24 | decision
    if re.fullmatch(rf"[-+]{_VALUE}|[,.]", text):
        return _TRADE << 24 | _trade_number(text)
    if match := re.fullmatch(rf"\^({_VALUE})@(0|[12]?[1-9]|[123]0)", text):
        return _LEAVE << 24 | 32 * (int(match[1]) - 1) + int(match[2])
    if text[:1] == "*" and text[1:] in KINDS:
        return _TURN_UP << 24 | KINDS.index(text[1:])
    expected = "a step such as 4R, bonus, thief@B4, luck@B, xB, -5, +3, '.', ^4@0, end or *4R"
    raise NotationError(field, 1, repr(text[:20]), expected)


def step_parts(step: int) -> MoveParts:
    """The step in structured form. Places are values, 1 to 6."""
    kind, number = step >> 24, step & 0xFFFFFF
    if kind == _TURN_UP:
        return MoveParts("turn_up", KINDS[number])
    if kind == _LEAVE:
        return MoveParts("leave", place=(number >> 5) + 1, number=number & 31)
    if kind == _TRADE:
        if number >= _NEXT:
            return MoveParts("next_partner" if number == _NEXT else "carry_out")
        return MoveParts("give" if number < _TAKE else "take", place=number % _TAKE + 1)
    if number < _USE_BONUS:
        return MoveParts("place", _SORTS[number])
    if number == _USE_BONUS:
        return MoveParts("bonus")
    if number < _SKIP:
        return MoveParts("steal", place=(number - _STEAL) % 6 + 1, seats=((number - _STEAL) // 6,))
    if number < _END:
        return MoveParts("bad_luck", seats=(number - _SKIP,))
    if number == _END:
        return MoveParts("end_turn")
    return MoveParts("exchange", seats=tuple(seat for seat in range(len(SEATS)) if number - _EXCHANGE >> seat & 1))


def format_step(step: int) -> str:
    """The step's notation."""
    kind, number = step >> 24, step & 0xFFFFFF
    if kind == _TURN_UP:
        return f"*{KINDS[number]}"
    if kind == _LEAVE:
        return f"^{(number >> 5) + 1}@{number & 31}"
    if kind == _TRADE:
        if number >= _NEXT:
            return "," if number == _NEXT else "."
        return f"-{number - _GIVE + 1}" if number < _TAKE else f"+{number - _TAKE + 1}"
    if number < _USE_BONUS:
        return _SORTS[number]
    if number == _USE_BONUS:
        return "bonus"
    if number < _SKIP:
        return f"thief@{SEATS[(number - _STEAL) // 6]}{(number - _STEAL) % 6 + 1}"
    if number < _END:
        return f"luck@{SEATS[number - _SKIP]}"
    if number == _END:
        return "end"
    return "x" + "".join(letter for seat, letter in enumerate(SEATS) if number - _EXCHANGE >> seat & 1)
