"""Input that cannot be used: every call that takes it names the field, none fails inside, and the server goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from mangetout.v1 import analysis_pb2, analysis_pb2_grpc, common_pb2, engine_pb2_grpc, game_pb2, game_pb2_grpc
from mangetout_client import Client, MangetoutError

CORPORA = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent.parent / "data").glob("invalid_*.json"))
}
VALID = CORPORA["invalid_peas"]["valid"]
REQUESTS: dict[str, type[Message]] = {
    "Analyze": analysis_pb2.AnalyzeRequest,
    "StreamAnalysis": analysis_pb2.StreamAnalysisRequest,
    "ChooseMove": analysis_pb2.ChooseMoveRequest,
    "Deal": game_pb2.DealRequest,
    "GetPosition": game_pb2.GetPositionRequest,
    "ListMoves": game_pb2.ListMovesRequest,
    "PlayMoves": game_pb2.PlayMovesRequest,
    "CountMoves": game_pb2.CountMovesRequest,
}
STATE_CALLS = [name for name in REQUESTS if name != "Deal"]
# What makes a request valid apart from what a case is about.
FILLING: dict[str, dict[str, Any]] = {
    "Analyze": {"limits": {"simulations": 10}},
    "ChooseMove": {"level": 1},
    "CountMoves": {"depth": 1},
}


def cases() -> Iterator[Any]:
    """(call, request as JSON, code, field) for every case of the corpora in every call it belongs to."""
    for corpus in CORPORA.values():
        valid = corpus["valid"]
        for case in corpus["states"]:
            for call in case.get("calls", STATE_CALLS):
                yield case_of(call, {**FILLING.get(call, {}), "state": state_of(case)}, case)
        for case in corpus["questions"]:
            for call in ("Analyze", "StreamAnalysis"):
                yield case_of(call, {"state": valid, **case["request"]}, case)
        for case in corpus["calls"]:
            filling = {} if case["call"] in ("Deal", "StreamAnalysis") else {"state": valid}
            yield case_of(case["call"], {**filling, **case["request"]}, case)


def state_of(case: dict[str, Any]) -> dict[str, Any]:
    state = dict(case["state"])
    if "repeat_notation" in case:
        state["notation"] = case.get("before", "") + state["notation"] * case["repeat_notation"]
    if "repeat_game" in case:
        state["game"] *= case["repeat_game"]
    if "repeat_moves" in case:
        state["moves"] = state["moves"] * case["repeat_moves"]
    if "repeat_last_move" in case:
        state["moves"] = [*state["moves"][:-1], state["moves"][-1] * case["repeat_last_move"]]
    return state


def case_of(call: str, request: dict[str, Any], case: dict[str, Any]) -> Any:
    field = case["field"]
    if call == "StreamAnalysis" and "reportInterval" not in request:
        request, field = {"request": request}, f"request.{field}"
    return pytest.param(call, request, case.get("code", "INVALID_ARGUMENT"), field, id=f"{call}: {case['name']}")


@pytest.fixture
def send(channel: grpc.Channel) -> Callable[[str, Message], list[Message]]:
    """Calls a method by name; one answer or many, as a list."""
    stubs = [
        analysis_pb2_grpc.AnalysisServiceStub(channel),
        game_pb2_grpc.GameServiceStub(channel),
        engine_pb2_grpc.EngineServiceStub(channel),
    ]

    def call(name: str, request: Message) -> list[Message]:
        method = next(getattr(stub, name) for stub in stubs if hasattr(stub, name))
        answer = method(request, timeout=30)
        return list(answer) if name == "StreamAnalysis" else [answer]

    return call


def violations(error: grpc.RpcError) -> list[str]:
    status = rpc_status.from_call(error)
    fields = []
    for detail in status.details:
        bad_request = error_details_pb2.BadRequest()
        if detail.Unpack(bad_request):
            fields += [violation.field for violation in bad_request.field_violations]
    return fields


@pytest.mark.parametrize(("call", "request_json", "code", "field"), list(cases()))
def test_invalid_input_is_named(
    send: Callable[[str, Message], list[Message]],
    client: Client,
    call: str,
    request_json: dict[str, Any],
    code: str,
    field: str,
) -> None:
    request = json_format.ParseDict(request_json, REQUESTS[call]())
    with pytest.raises(grpc.RpcError) as caught:
        send(call, request)
    assert caught.value.code().name == code, caught.value.details()
    assert violations(caught.value) == [field], caught.value.details()
    # A sentence for a person, not the input thrown back.
    assert len(caught.value.details()) < 1100
    assert client.server_info(timeout=30).games


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("call", STATE_CALLS)
def test_the_filling_of_the_cases_is_valid(
    send: Callable[[str, Message], list[Message]], corpus: str, call: str
) -> None:
    """Otherwise the cases might fail for another reason than their own."""
    valid = CORPORA[corpus]["valid"]
    request = {**FILLING.get(call, {}), "state": valid}
    if call == "StreamAnalysis":
        request = {"request": {**FILLING["Analyze"], "state": valid}, "reportInterval": "0.5s"}
    assert send(call, json_format.ParseDict(request, REQUESTS[call]()))


@pytest.mark.parametrize("call", list(REQUESTS))
def test_empty_messages(send: Callable[[str, Message], list[Message]], call: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        send(call, REQUESTS[call]())
    assert caught.value.code().name in ("INVALID_ARGUMENT", "NOT_FOUND")
    assert len(violations(caught.value)) == 1


@pytest.mark.parametrize(
    ("seconds", "nanos"),
    [(1, -1), (-1, 1), (0, 1_000_000_000), (0, -1_000_000_000), (2**63 - 1, 2**31 - 1), (-(2**63), -(2**31))],
)
def test_durations_that_are_none(send: Callable[[str, Message], list[Message]], seconds: int, nanos: int) -> None:
    request = analysis_pb2.AnalyzeRequest(state=common_pb2.GameState(**VALID))
    request.limits.time.seconds, request.limits.time.nanos = seconds, nanos
    with pytest.raises(grpc.RpcError) as caught:
        send("Analyze", request)
    assert caught.value.code().name == "INVALID_ARGUMENT"
    assert violations(caught.value) == ["limits.time"]


@pytest.mark.parametrize("call", list(REQUESTS))
def test_bytes_that_are_no_message(channel: grpc.Channel, client: Client, call: str) -> None:
    service = "AnalysisService" if call in ("Analyze", "StreamAnalysis", "ChooseMove") else "GameService"
    path = f"/mangetout.v1.{service}/{call}"
    # A single answer may be read as a stream, too.
    answers = channel.unary_stream(path)(b"\xff\xff\xff", timeout=30)
    with pytest.raises(grpc.RpcError) as caught:
        list(answers)
    assert caught.value.code().name == "INVALID_ARGUMENT"
    client.server_info(timeout=30)


def test_a_message_beyond_the_limit(client: Client) -> None:
    with pytest.raises(MangetoutError) as caught:
        client.get_position("#" + "x" * (1 << 20))
    assert caught.value.code.name == "RESOURCE_EXHAUSTED"
    client.server_info(timeout=30)


def test_a_notation_error_tells_the_place(channel: grpc.Channel) -> None:
    stub = game_pb2_grpc.GameServiceStub(channel)
    state = common_pb2.GameState(notation="peas +1/-2/+3 B1B2B3 R1R2X3 A")
    request = game_pb2.GetPositionRequest(state=state)
    with pytest.raises(grpc.RpcError) as caught:
        stub.GetPosition(request)
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in rpc_status.from_call(caught.value).details)
    assert info.reason == "NOTATION"
    assert info.domain == "mangetout"
    assert info.metadata["column"] == "26"
    assert "X" in info.metadata["found"]
    assert "card" in info.metadata["expected"]
