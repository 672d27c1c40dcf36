"""What the server says of itself, and the services that grpc's own tools use."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from mangetout.v1 import analysis_pb2
from mangetout_client import Client, MangetoutError, constants
from mangetout_server import app
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game

SERVICES = ["mangetout.v1.AnalysisService", "mangetout.v1.EngineService", "mangetout.v1.GameService"]


def test_server_info_tells_the_settings(start_server: Callable[..., object]) -> None:
    server = start_server(search_threads=3, queue_size=5, max_time=7.5, max_memory_bytes=64 << 20)
    with Client(server.target) as client:  # type: ignore[attr-defined]
        info = client.server_info()
    assert info.version
    assert info.games == [game.name for game in registry.games()]
    assert (info.search_threads, info.queue_size, info.max_time_seconds) == (3, 5, 7.5)
    assert (info.max_memory_bytes, info.max_message_bytes) == (64 << 20, 1 << 20)


def test_games_describe_themselves(client: Client) -> None:
    peas = next(game for game in client.list_games().games if game.name == "peas")
    assert (peas.name, peas.min_players, peas.max_players) == ("peas", 2, 2)
    assert peas.title
    assert peas.score_unit
    assert peas.notation_help
    assert peas.hidden_information
    for option in peas.options:
        assert option.name
        assert option.type in ("int", "bool", "choice", "ints")
        assert option.description
        client.deal("peas", options={option.name: option.default_value})
    assert client.get_position(peas.example).position.game == "peas"
    for concept in peas.concepts:
        assert analysis_pb2.SolutionConcept.Value(concept) != analysis_pb2.SOLUTION_CONCEPT_UNSPECIFIED
    assert len(peas.concepts) == 2
    # Only what has an exact engine has margins.
    assert "120 for all pods" in peas.margin_unit
    assert {game.name for game in client.list_games().games if game.margin_unit} == {"peas", "pepper_corn"}


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_a_game_is_told_with_the_page_that_teaches_it(client: Client, game: Game) -> None:
    answer = client.get_game(game.name)
    assert answer.game == next(listed for listed in client.list_games().games if listed.name == game.name)
    assert answer.how_to_play == game.how_to_play()


def test_an_unknown_game_is_refused(client: Client) -> None:
    for name in ("", "pease", "x" * 5000):
        with pytest.raises(MangetoutError) as caught:
            client.get_game(name)
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
        assert [violation.field for violation in caught.value.violations] == ["game"]


def test_health_of_each_service(channel: grpc.Channel) -> None:
    stub = health_pb2_grpc.HealthStub(channel)
    for name in ["", *SERVICES]:
        answer = stub.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_lists_the_services(channel: grpc.Channel) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    (answer,) = stub.ServerReflectionInfo(iter([request]))
    names = [service.name for service in answer.list_services_response.service]
    assert set(SERVICES) <= set(names)


def test_the_server_bears_the_pings_of_its_clients() -> None:
    assert app.MIN_PING_INTERVAL_MS <= constants.KEEPALIVE_TIME_MS
