"""Easy Peasy positions and steps as text; the grammar is in docs/notation/easy_peasy.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from mangetout_solver.errors import InputError, NotationError, PositionError
from mangetout_solver.games.easy_peasy.cards import COLOUR_LETTERS, card_number, card_text, card_words
from mangetout_solver.games.easy_peasy.positions import build, view
from mangetout_solver.games.easy_peasy.settings import NAMED, named_values, settings_of
from mangetout_solver.games.easy_peasy.views import UNKNOWN, GameView, HandView, PileView, Showing
from mangetout_solver.games.game import SEAT_LETTERS, MoveParts, Record
from mangetout_solver.games.options import format_options, parse_options
from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

_HEADER = r"easy_peasy(\{[^}\s]*\}?)?"
_CARD = rf"[{COLOUR_LETTERS}](?:10|[1-9])"

# Kinds and numbers of steps, as in rules.pxd.
_MAIN, _EXTRA, _DRAW, _TURN_UP, _SHOW_SUM, _LOT, _PLACE = 0, 1, 128, 129, 130, 131, 132
_WORDS = {"flip": 120, "stuck": 121, "up": 122, "down": 123}
_TURN_PILE, _NONE = 124, 127
_UNSEEN = 0xFFFFFF


# ---------------------------------------------------------------- positions


def _card(reader: Reader) -> int:
    return card_number(reader.take(_CARD, f"a card: a colour of {COLOUR_LETTERS} and a rank from 1 to 10"))


def _cards(reader: Reader) -> list[int]:
    """Cards without blanks between, possibly none."""
    cards = []
    while re.match(r"[^ /?]", reader.text[reader.at :]):
        cards.append(_card(reader))
    return cards


def _set(reader: Reader, what: str) -> list[int]:
    if reader.optional("-"):
        return []
    cards = _cards(reader)
    if not cards:
        raise reader.error(f"{what}, or '-' for none")
    return cards


def _list(reader: Reader, separator: str, most: int, read: Callable[[], Any]) -> list[Any]:
    found = [read()]
    while reader.optional(separator):
        if len(found) == most:
            raise reader.error(f"at most {most} of them")
        found.append(read())
    return found


def _pile(reader: Reader) -> PileView:
    if reader.optional("-"):
        return PileView(None, None)
    open_card = beneath = None
    if not re.match(r"[?(]", reader.text[reader.at :]):
        open_card = _card(reader)
    if reader.optional("?"):
        beneath = UNKNOWN
    elif reader.optional("("):
        beneath = _card(reader)
        reader.take(r"\)", "')'")
    return PileView(open_card, beneath)


def _hand(reader: Reader) -> HandView:
    if reader.optional("-"):
        return HandView((), ())
    cards = _cards(reader)
    unknown = [0] * 8
    while reader.optional("?"):
        unknown[int(reader.take("[0-7]?", "an era") or 0)] += 1
    if not cards and not sum(unknown):
        raise reader.error("a hand: cards, '?' for each unknown one, or '-' for none")
    return HandView(tuple(cards), tuple(unknown))


def _top(reader: Reader) -> int | None:
    return None if reader.optional("-") else _card(reader)


def _seat(reader: Reader, players: int) -> int:
    letters = SEAT_LETTERS[:players]
    return letters.index(reader.take(f"[{letters}]", f"a seat, {letters[0]} to {letters[-1]}"))


def _number(reader: Reader, what: str) -> int:
    return int(reader.take(r"[0-9]{1,5}", what))


def _showing(reader: Reader, players: int) -> Showing:
    seat = _seat(reader, players)
    above = reader.take("[<>]", "'>' or '<'") == ">"
    rank = int(reader.take(r"10|[1-9]", "a rank from 1 to 10"))
    reader.take("@", "'@' and an era")
    era = int(reader.take("[0-7]", "an era from 0 to 7"))
    reader.take(r"\+", "'+' and a number")
    return Showing(seat, above, rank, era, int(reader.take(r"[0-9]{1,2}", "a number of cards")))


_STAGES = "deal|lot|begin|turn|draw|flipped|bonus|reveal|score|end"


def _stage(reader: Reader, players: int) -> dict[str, Any]:
    phase = reader.take(_STAGES, f"a stage: {_STAGES.replace('|', ', ')}")
    stage: dict[str, Any] = {"phase": phase}
    if phase == "end":
        return stage
    reader.take("/", "'/'")
    if phase in ("deal", "lot"):
        stage["beginners"] = [_seat(reader, players)]
        while reader.text[reader.at : reader.at + 1] not in ("", " "):
            stage["beginners"].append(_seat(reader, players))
        return stage
    if not (phase == "score" and reader.optional("-")):
        stage["seat"] = _seat(reader, players)
    if phase in ("draw", "bonus", "reveal", "score"):
        reader.take("/", "'/' and a number")
        stage["number"] = int(reader.take("[0-9]", "a digit"))
    if phase in ("draw", "flipped"):
        stage["again"] = reader.optional("/again")
    return stage


def parse(text: str, field: str) -> Position:
    """Reads a position. Raises NotationError with the column, or PositionError, both under `field`."""
    reader = Reader(text, field)
    reader.skip_blanks()
    start = reader.at
    header = reader.take(_HEADER, "'easy_peasy'")
    options = parse_options(header[len("easy_peasy") :], NAMED, field, start + len("easy_peasy"))

    def fields(before: str, separator: str, count: int, read: Callable[[], Any]) -> list[Any]:
        """As many as there are players, or tops."""
        reader.blanks(before)
        found = _list(reader, separator, count, read)
        if len(found) != count:
            raise reader.error(f"{count} of them with {separator!r} between")
        return found

    reader.blanks("the rows")
    rows = _list(reader, "/", 6, lambda: _list(reader, ",", 3, lambda: _pile(reader)))
    players, piles = len(rows), len(rows[0])
    if players < 2 and reader.text[reader.at : reader.at + 1] in ("", " "):
        raise reader.error("'/' and a second row")
    hands = fields("the hands", "/", players, lambda: _hand(reader))
    tops = fields("the tops of the discard piles", ",", 2, lambda: _top(reader))
    reader.blanks("the discards")
    discards = _set(reader, "the discards")
    reader.blanks("the later eras")
    eras = [] if reader.optional("-") else _list(reader, "/", 7, lambda: _set(reader, "the cards of an era"))
    reader.blanks("what being stuck showed")
    showings = [] if reader.optional("-") else _list(reader, ",", 3, lambda: _showing(reader, players))
    scores = fields("the scores", "-", players, lambda: _number(reader, "a score"))
    last = fields("the scores of the last round", "-", players, lambda: _number(reader, "a score"))
    cut_off = reader.optional("!")
    reader.blanks("the round")
    round_ = _number(reader, "the number of the round")
    reader.take("/", "'/' and the turns finished")
    turns = _number(reader, "the turns finished")
    reader.blanks("the direction")
    direction = reader.take("up|down|-", "the direction: up, down or -")
    reader.blanks("the stage")
    stage = _stage(reader, players)
    reader.skip_blanks()
    if reader.at < len(text):
        raise reader.error("the end of the position")
    try:
        for seat, row in enumerate(rows):
            if len(row) != piles:
                reason = f"found {len(row)} piles, expected {piles} as in the first row"
                raise PositionError(f"rows.{SEAT_LETTERS[seat]}", reason)
        if not all(eras):
            raise PositionError("eras", "found an era without cards, expected some")
        return build(
            settings_of(options, players, piles),
            rows,
            hands,
            tops=(tops[0], tops[1]),
            discards=discards,
            eras=eras,
            showings=showings,
            scores=scores,
            last_scores=last,
            cut_off=cut_off,
            round=round_,
            turns=turns,
            direction=direction,
            **stage,
        )
    except InputError as error:
        raise PositionError(field, f"{error.field}: {error.reason}") from None


def _set_text(cards: Sequence[int]) -> str:
    return "".join(map(card_text, cards)) or "-"


def _pile_text(pile: PileView) -> str:
    open_text = "" if pile.open is None else card_text(pile.open)
    if pile.beneath is None:
        return open_text or "-"
    return open_text + ("?" if pile.beneath == UNKNOWN else f"({card_text(pile.beneath)})")


def _hand_text(hand: HandView) -> str:
    unknown = "".join(f"?{era or ''}" * count for era, count in enumerate(hand.unknown))
    return "".join(map(card_text, hand.cards)) + unknown or "-"


def _showing_text(shown: Showing) -> str:
    return f"{SEAT_LETTERS[shown.seat]}{'>' if shown.above else '<'}{shown.rank}@{shown.era}+{shown.free}"


def _stage_text(game: GameView) -> str:
    seat = "-" if game.seat is None else SEAT_LETTERS[game.seat]
    again = "/again" if game.again else ""
    match game.phase:
        case "deal" | "lot":
            return f"{game.phase}/{''.join(SEAT_LETTERS[seat] for seat in game.beginners)}"
        case "begin" | "turn" | "flipped":
            return f"{game.phase}/{seat}{again}"
        case "draw" | "bonus" | "reveal" | "score":
            return f"{game.phase}/{seat}/{game.number}{again}"
    return game.phase


def format_game(game: GameView) -> str:
    """The canonical notation."""
    return " ".join(
        (
            "easy_peasy" + format_options(named_values(game.settings), NAMED),
            "/".join(",".join(map(_pile_text, row)) for row in game.rows),
            "/".join(map(_hand_text, game.hands)),
            ",".join("-" if top is None else card_text(top) for top in game.tops),
            _set_text(game.discards),
            "/".join(map(_set_text, game.eras[1:])) or "-",
            ",".join(map(_showing_text, game.showings)) or "-",
            "-".join(map(str, game.scores)),
            "-".join(map(str, game.last_scores)) + ("!" if game.cut_off else ""),
            f"{game.round}/{game.turns}",
            game.direction,
            _stage_text(game),
        )
    )


def exchanged(text: str) -> str | None:
    """The canonical text with the discard piles exchanged; None before both have a card."""
    *before, tops, discards, eras, stuck, scores, last, clock, direction, stage = text.split(" ")
    first, second = tops.split(",")
    if "-" in (first, second):
        return None
    if stage.startswith("bonus/"):
        stage = stage[:-1] + str(1 - int(stage[-1]))
    return " ".join((*before, f"{second},{first}", discards, eras, stuck, scores, last, clock, direction, stage))


# ---------------------------------------------------------------- steps


def steps_of(word: str) -> list[str]:
    """The steps that a word of a record consists of: a play and the bonus actions after it, or a part of them."""
    parts = re.findall(r"[+][^+.]*|[.]|[^+.]+", word)
    return parts if "".join(parts) == word and all(map(continues_word, parts[1:])) else [word]


def continues_word(step: str) -> bool:
    """Whether a step stands in one word with the step before."""
    return step[0] in "+."


_EXAMPLES = {
    "deal": "*R5",
    "lot": "*A",
    "begin": "up or down",
    "turn": "R8>0 or flip",
    "draw": "*R5",
    "flipped": "R8>0, flip or stuck",
    "bonus": "+R9, +turn0 or '.'",
    "reveal": "*R5",
    "score": "*R5 or *=18",
    "end": "none",
}


def _card_kind(game: GameView) -> int:
    """The kind of a chance event that brings a card."""
    if game.phase == "deal":
        return _PLACE if game.tops[1] is None else _DRAW
    return _TURN_UP if game.phase in ("reveal", "score") else _DRAW


def parse_step(position: Position, text: str, field: str) -> int:
    """The number of a step, legal or not. Raises NotationError."""
    game = view(position)
    if text in _WORDS:
        return _WORDS[text]
    if text == ".":
        return _EXTRA << 24 | _NONE
    if match := re.fullmatch(rf"({_CARD})>([01])", text):
        return 2 * card_number(match[1]) + int(match[2])
    if match := re.fullmatch(rf"\+({_CARD})", text):
        return _EXTRA << 24 | card_number(match[1])
    if match := re.fullmatch(r"\+turn([0-2])", text):
        return _EXTRA << 24 | _TURN_PILE + int(match[1])
    if match := re.fullmatch(rf"\*({_CARD})", text):
        return _card_kind(game) << 24 | card_number(match[1])
    if text == "*?":
        return _DRAW << 24 | _UNSEEN
    if match := re.fullmatch(r"\*=(0|[1-9][0-9]{0,2})", text):
        return _SHOW_SUM << 24 | int(match[1])
    if match := re.fullmatch(r"\*([A-F])", text):
        return _LOT << 24 | SEAT_LETTERS.index(match[1])
    raise NotationError(field, 1, repr(text[:20]), f"a step such as {_EXAMPLES[game.phase]}")


def format_step(step: int) -> str:
    """The step's notation."""
    kind, number = step >> 24, step & _UNSEEN
    if number == _UNSEEN:
        return "*?"
    if kind == _MAIN:
        words = {value: word for word, value in _WORDS.items()}
        return words[number] if number in words else f"{card_text(number >> 1)}>{number & 1}"
    if kind == _EXTRA:
        if number == _NONE:
            return "."
        return f"+{card_text(number)}" if number < _TURN_PILE else f"+turn{number - _TURN_PILE}"
    if kind == _SHOW_SUM:
        return f"*={number}"
    return f"*{SEAT_LETTERS[number] if kind == _LOT else card_text(number)}"


def step_parts(step: int) -> MoveParts:
    """The step in structured form. Places are discard piles or, where one is turned, row piles."""
    kind, number = step >> 24, step & _UNSEEN
    if kind == _MAIN:
        words = {value: word for word, value in _WORDS.items()}
        return MoveParts(words[number]) if number in words else MoveParts("play", card_text(number >> 1), number & 1)
    if kind == _EXTRA:
        if number == _NONE:
            return MoveParts("no_bonus")
        if number >= _TURN_PILE:
            return MoveParts("turn_pile", place=number - _TURN_PILE)
        return MoveParts("bonus_play", card_text(number))
    if kind == _SHOW_SUM:
        return MoveParts("show_sum", number=number)
    if kind == _LOT:
        return MoveParts("lot", seats=(number,))
    name = {_DRAW: "draw", _TURN_UP: "turn_up", _PLACE: "place"}[kind]
    return MoveParts(name, "" if number == _UNSEEN else card_text(number))


def describe_step(position: Position, step: int) -> str:
    """The step in words."""
    game = view(position)
    kind, number = step >> 24, step & _UNSEEN
    seat = "" if game.seat is None else SEAT_LETTERS[game.seat]
    card = "a card" if number == _UNSEEN else card_words(number) if kind in (_DRAW, _TURN_UP, _PLACE) else ""
    if kind == _MAIN and number in _WORDS.values():
        turned = "down" if game.direction == "up" else "up"
        return {
            "flip": f"flip to {turned}" + ("" if game.phase == "turn" else ", as nothing fits"),
            "stuck": "end the turn, as nothing fits",
            "up": "begin upwards",
            "down": "begin downwards",
        }[format_step(step)]
    if kind == _MAIN:
        return _play_words(game, number >> 1, number & 1)
    if kind == _EXTRA and number < _TURN_PILE:
        return _play_words(game, number, game.number if game.phase == "bonus" else 0)
    if kind == _EXTRA:
        return "no bonus action" if number == _NONE else _turn_words(game, number - _TURN_PILE)
    if kind == _DRAW:
        if game.phase == "deal":
            owner = (sum(len(hand.cards) + sum(hand.unknown) for hand in game.hands)) // game.settings.hand
            return f"{SEAT_LETTERS[owner]} is dealt {card}"
        return f"{seat} draws {card}"
    if kind == _PLACE:
        place = next(
            (SEAT_LETTERS[owner] for owner, row in enumerate(game.rows) for pile in row if pile.open is None), None
        )
        return f"{card} is dealt to " + ("a discard pile" if place is None else f"the row of {place}")
    if kind == _TURN_UP:
        owner = (
            next(owner for owner, row in enumerate(game.rows) for pile in row if pile.beneath == UNKNOWN)
            if game.phase == "score"
            else game.seat or 0
        )
        return f"{card} comes to light in the row of {SEAT_LETTERS[owner]}"
    if kind == _SHOW_SUM:
        return f"{SEAT_LETTERS[game.number]} shows {number} points in hand"
    return f"{SEAT_LETTERS[number]} begins by lot"


def _play_words(game: GameView, card: int, pile: int) -> str:
    """A card from hand or row on a discard pile."""
    top = game.tops[pile]
    row = game.rows[game.seat or 0]
    source = "from the row " if any(place.open == card for place in row) else ""
    return f"{card_words(card)} {source}on {'nothing' if top is None else card_words(top)}"


def _turn_words(game: GameView, pile: int) -> str:
    row = game.rows[game.seat or 0]
    if pile >= len(row):
        return f"turn row pile {pile}"
    upper, lower = row[pile].open, row[pile].beneath
    beneath = "the unknown card" if lower == UNKNOWN or lower is None else card_words(lower)
    return f"turn up {beneath}" + ("" if upper is None else f" beneath {card_words(upper)}")


def describe_next(position: Position) -> str:
    """The decision or chance event that comes next, in words."""
    game = view(position)
    seat = "" if game.seat is None else SEAT_LETTERS[game.seat]
    match game.phase:
        case "deal":
            return "a card is dealt"
        case "lot":
            return "who begins is drawn"
        case "begin":
            return "begin with UP or DOWN"
        case "turn":
            return "play a card, or turn the Up&Down card and draw"
        case "draw":
            return f"{seat} draws a card"
        case "flipped":
            stuck = {"again": "turn the Up&Down card again", "end": "end the turn"}.get(game.settings.stuck)
            return "play a card" if game.again or stuck is None else f"play a card, or {stuck} if nothing fits"
        case "bonus":
            return "play a card on the same pile, turn a pile of the row, or neither"
        case "reveal":
            return f"a card of {seat}'s row is turned up"
        case "score":
            owners = [owner for owner, row in enumerate(game.rows) for pile in row if pile.beneath == UNKNOWN]
            if owners:
                return f"a card of {SEAT_LETTERS[owners[0]]}'s row is turned up"
            return f"{SEAT_LETTERS[game.number]} shows the hand"
    return ""


def describe_turn(turn: Record) -> str:
    """A whole turn in words: what begins it, bonus actions behind that."""
    told: list[str] = []
    bonus: list[str] = []
    for position, step in zip(turn.positions, turn.moves, strict=False):
        (bonus if view(position).phase == "bonus" else told).append(describe_step(position, step))
    declined = bonus.pop() if bonus and turn.moves[-1] == _EXTRA << 24 | _NONE else None
    if bonus:
        told.append(f"bonus: {', '.join(bonus)}")
    elif declined is not None:
        told.append(declined)
    return "; ".join(told)
