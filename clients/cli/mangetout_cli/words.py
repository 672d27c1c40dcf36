"""Values and enumerations of messages in words."""

from __future__ import annotations

from collections.abc import Sequence

from mangetout.v1 import analysis_pb2, common_pb2

from mangetout_cli import seats

_CONCEPTS = {
    analysis_pb2.SOLUTION_CONCEPT_PERFECT_INFORMATION: (
        "All hands are known to all: the values are those of best play by everybody with open cards."
    ),
    analysis_pb2.SOLUTION_CONCEPT_INFORMATION_SET_SEARCH: (
        "Only what {seat} knows is used: the values are averages over the cards {seat} cannot see, from one search "
        "over all of them. They are estimates, where they are not said to be proven; ± is the noise of sampling, not a "
        "limit of the error."
    ),
    analysis_pb2.SOLUTION_CONCEPT_MIXED_STRATEGY: (
        "Several seats decide at the same time: the answer is a mixed strategy, to be drawn from, and the "
        "values are those of play in which the others do the same. They are estimates."
    ),
}
_PROVEN_MIXTURE = (
    "Both seats decide at the same time: the answer is a mixed strategy, to be drawn from. It is an equilibrium once "
    "the value is proven, and an estimate of one before. What is proven is the value of the best mixed strategy, and "
    "of each line what it gets if it is foreseen."
)
_STOP_REASONS = {
    analysis_pb2.STOP_REASON_UNSPECIFIED: "interrupted: the best answer so far",
    analysis_pb2.STOP_REASON_SOLVED: "nothing is left to search",
    analysis_pb2.STOP_REASON_LIMIT: "a limit of the request was reached",
    analysis_pb2.STOP_REASON_DEADLINE: "the deadline was near",
    analysis_pb2.STOP_REASON_STOPPED: "stopped on request",
    analysis_pb2.STOP_REASON_SHUTDOWN: "the server is shutting down",
}
_WINS = {common_pb2.UTILITY_ROUND: "Round win share", common_pb2.UTILITY_MATCH: "Match win share"}
_NOT_KNOWN = "not known"


def concept(analysis: analysis_pb2.Analysis) -> str:
    """What the values of an analysis mean, a sentence or two."""
    if analysis.concept == analysis_pb2.SOLUTION_CONCEPT_MIXED_STRATEGY and not analysis.counters.tree_nodes:
        return _PROVEN_MIXTURE
    text = _CONCEPTS.get(analysis.concept, "What the values mean is not known to this version of the program.")
    return text.format(seat=seats.letter(analysis.seat))


def assumption(analysis: analysis_pb2.Analysis) -> str:
    """What the win share of a match rests on where it comes from that of a round; else empty."""
    if len({value.utility for value in analysis.values}) < 2:
        return ""
    return (
        " The round alone is searched: the win share of the match follows from that of the round if in every round to "
        "come all have the same chances."
    )


def win(utility: common_pb2.Utility.ValueType, among: Sequence[common_pb2.Utility.ValueType]) -> str:
    """The name of a win share; which win it is of is said where an analysis has several."""
    return _WINS.get(utility, "Win share") if len(among) > 1 else "Win share"


def concept_name(constant: str) -> str:
    """The name of a solution concept, from that of its constant."""
    return constant.removeprefix("SOLUTION_CONCEPT_").lower().replace("_", " ")


def stop_reason(analysis: analysis_pb2.Analysis) -> str:
    """Why a search ended."""
    return _STOP_REASONS.get(analysis.stop_reason, "for a reason not known to this version of the program")


def win_share(value: common_pb2.Value) -> str:
    """A win share and how firm it is: `52.3 % ± 0.4 (estimate)`, `proven win`, `between 0 % and 50 %, proven`."""
    claim = value.WhichOneof("claim")
    if claim == "exact":
        return {1.0: "proven win", 0.0: "proven loss"}.get(value.exact.value, f"{_percent(value.exact.value)}, proven")
    if claim == "interval":
        return f"between {_percent(value.interval.low)} and {_percent(value.interval.high)}, proven"
    if claim == "estimate":
        error = 100 * value.estimate.standard_error
        digits = _digits(error, 1)
        return f"{100 * value.estimate.mean:.{digits}f} % ± {error:.{digits}f} (estimate)"
    return _NOT_KNOWN


def score(value: common_pb2.Value) -> str:
    """A score and how firm it is: `-1.25 ± 0.04 (estimate)`, `3 (proven)`, `between -2 and 4, proven`."""
    claim = value.WhichOneof("claim")
    if claim == "exact":
        return f"{number(value.exact.value)} (proven)"
    if claim == "interval":
        return f"between {number(value.interval.low)} and {number(value.interval.high)}, proven"
    if claim == "estimate":
        digits = _digits(value.estimate.standard_error, 2)
        return f"{value.estimate.mean:.{digits}f} ± {value.estimate.standard_error:.{digits}f} (estimate)"
    return _NOT_KNOWN


def number(value: float) -> str:
    """A number with at most four decimals, none where it is whole."""
    return f"{round(value, 4):g}" if value else "0"


def amount(count: int, unit: str) -> str:
    """A count and its unit: `1 card`, `12,000 cards`."""
    return f"{count:,} {unit}" if count == 1 else f"{count:,} {unit}s"


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"


def _digits(error: float, usual: int) -> int:
    """Decimals to write: the usual number, more where the error would read as zero."""
    digits = usual
    while digits < 6 and 0 < error < 0.5 * 10**-digits:
        digits += 1
    return digits
