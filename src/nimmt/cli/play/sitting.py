"""A person's game from where it stands to its end, or to the moment when the person leaves."""

import argparse
import sys

import nimmt

from ..common import Failure, note, rules_text
from ..files import write_bytes
from ..screen import Screen
from .person import Leave, Person, read_line
from .saved import Saved, check_place, pack, write_record
from .seats import moves, names_for
from .teller import Teller, cards_again, over


class Sitting:
    """A person's game from here to its end, or to the moment when the person leaves."""

    def __init__(self, saved: Saved, args: argparse.Namespace) -> None:
        self.game, self.seats = saved
        self.args = args
        self.person = self.seats.index(None)
        self.screen = Screen(sys.stdout, self.game.names or names_for(self.seats), self.game.rules.professional)
        self.kept: nimmt.Game | None = None

    def play(self) -> int:
        """Play; return the exit code."""
        try:
            self._play()
        except Leave as leave:
            self._leave("The input has ended." if leave.ended else "You leave the game.", ask=not leave.ended)
            return 0
        except KeyboardInterrupt:
            note()
            self._leave("Interrupted.", ask=True)
            return 130
        return 0

    def _play(self) -> None:
        game = self.game
        note(f"6 nimmt! with {game.players} players; you have seat {self.person}. The fewest bull heads win.")
        note(f"Rules: {rules_text(game.rules)}. Type ? for help.\n")
        teller = Teller(self.screen, self.person)
        if game.is_over:
            over(self.screen, game.view())
        for before, events, after in moves(game, self.seats, Person(self.screen), self._asking):
            teller.tell(before, events, after)
        if self.args.save:
            self._save(self.args.save, game)
        self.screen.line("The same cards again:")
        self.screen.command(f"nimmt play {cards_again(game)}")
        if self.args.record:
            write_record(self.args.record, game)

    def _asking(self) -> None:
        """Keep the game before the person is asked: a moment at which nothing is half done, and no bot has chosen."""
        self.kept = self.game.copy()
        if self.args.save:
            self._save(self.args.save, self.kept)

    def _save(self, path: str, game: nimmt.Game) -> bool:
        try:
            write_bytes(path, pack(Saved(game, self.seats)), private=True)
        except Failure as failure:
            note(f"Not saved: {failure}")
            return False
        return True

    def _leave(self, why: str, ask: bool) -> None:
        """Offer the save."""
        if self.kept is None:
            note(why)
        elif self.args.save and self._save(self.args.save, self.kept):
            note(f"{why} The game is in {self.args.save}; go on with: nimmt play --load {self.args.save}")
        elif ask and sys.stdin is not None and sys.stdin.isatty():
            note(why)
            self._ask_where()
        else:
            note(f"{why} The game is not saved{'' if self.args.save else '; with --save FILE it would be'}.")

    def _ask_where(self) -> None:
        assert self.kept is not None
        try:
            while path := read_line("Save the game? The name of a file, or Enter for no: "):
                try:
                    check_place(path, self.args.load)
                except Failure as failure:
                    note(str(failure))
                    continue
                if self._save(path, self.kept):
                    note(f"Go on with: nimmt play --load {path}")
                    return
        except (Leave, KeyboardInterrupt):
            note()
        note("The game is not saved.")
