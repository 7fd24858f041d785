"""Tells what happens in a game: move by move, or a line for each round."""

from collections.abc import Sequence

from nimmt import Dealt, Game, GameOver, Picked, Placed, Revealed, RoundOver, View
from nimmt.events import Event

from ..common import rules_text
from ..screen import Screen, plural


class Teller:
    """Tells every move on a screen. `person` is a seat that is drawn its own table when it is asked, or None."""

    def __init__(self, screen: Screen, person: int | None = None) -> None:
        self.screen, self.person = screen, person
        self._headed = False  # is the table of placements begun?

    def tell(self, before: View, events: Sequence[Event], after: View) -> None:
        """Tell what happened between two views of a spectator."""
        if before.owed and before.owed.seat == self.person:
            self._headed = False  # the person was drawn the rows in between
        for event in events:
            if isinstance(event, Dealt):
                self._dealt(after)
            elif isinstance(event, Picked):
                if self.person is not None:
                    self.screen.line(f"  {self.screen.seat(event.seat)} picks {event.card}")
            elif isinstance(event, Revealed):
                self._headed = False
            elif isinstance(event, Placed):
                self._placed(event, before)
            elif isinstance(event, RoundOver):
                self._rows(after)
                self.screen.title(f"Round {after.round} is over")
                self.screen.standing(after, self.person)
            elif isinstance(event, GameOver):
                over(self.screen, after)
        if after.phase == "choose" and before.phase != "scored" and any(isinstance(e, Placed) for e in events):
            self._rows(after)

    def begin(self, view: View) -> None:
        """Tell where a game begins."""
        if view.phase != "draft":
            self._dealt(view)

    def _dealt(self, view: View) -> None:
        if self.person is not None:
            return
        self.screen.title(f"Round {view.round}")
        if view.rules.draft:
            for seat, hand in enumerate(view.hands):
                self.screen.text(f"{self.screen.seat(seat)} has picked {' '.join(map(str, hand or ()))}")
            self.screen.line()
        self.screen.rows(view.rows)

    def _placed(self, event: Placed, before: View) -> None:
        if not self._headed:
            self.screen.title(f"Round {before.round}, turn {before.turn}: cards are placed, lowest first")
            self.screen.placements()
            self._headed = True
        self.screen.placed(event)

    def _rows(self, view: View) -> None:
        if self.person is None:
            self.screen.line()
            self.screen.rows(view.rows)


class RoundTeller(Teller):
    """Tells the bull heads of each round in a line, and the end."""

    def begin(self, view: View) -> None:
        """Print the head of the table."""
        self.screen.title("Bull heads by round")
        self.screen.line("  round" + "".join(f" seat {seat}" for seat in range(view.players)))

    def tell(self, before: View, events: Sequence[Event], after: View) -> None:
        """Tell of rounds that end."""
        for event in events:
            if isinstance(event, RoundOver):
                self.screen.line(f"  {after.round:5}" + "".join(f"{heads:7}" for heads in event.heads))
            elif isinstance(event, GameOver):
                over(self.screen, after)


def over(screen: Screen, view: View) -> None:
    """Tell how a game ended."""
    rules = view.rules
    if rules.rounds is None:
        why = f"a score has {'reached' if rules.end == 'reach' else 'exceeded'} {rules.limit}"
    else:
        why = f"{plural(rules.rounds, 'round')} played"
    screen.title(f"The game is over: {why}")
    screen.result(view.scores)


def cards_again(game: Game) -> str:
    """Return the arguments that deal the cards of this game again."""
    number = f" --game {game.game}" if game.game else ""
    rules = rules_text(game.rules)
    return f"--players {game.players} --seed {game.seed}{number}" + (f" --rules {rules}" if rules != "base" else "")
