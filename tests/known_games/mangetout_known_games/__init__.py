"""Well-known games in the form of registered ones, for tests and benchmarks only: what they are worth is published."""

from mangetout_solver.games.game import Game

from mangetout_known_games.connect_four import ConnectFour
from mangetout_known_games.kuhn_poker import KuhnPoker
from mangetout_known_games.leduc_poker import LeducPoker

GAMES: tuple[Game, ...] = (ConnectFour(), KuhnPoker(), LeducPoker())
