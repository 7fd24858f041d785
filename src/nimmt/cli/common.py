"""What the commands share: failures, numbers and rules as text, notices."""

import argparse
import re
import sys
from collections.abc import Callable

import nimmt
from nimmt.rules import CHOICES, MOST, NAMES

_NUMBER = re.compile("[+-]?0*([0-9]+)")
_DIGITS = 20  # of 2**64; more are in no range here

#: The ranges of numbers, for messages.
CARDS, SEATS, ROWS = "1..104", "0..9", "0..3"

#: What a word in the text of rules stands for; words and options are joined with commas.
RULE_WORDS: dict[str, dict[str, object]] = {
    "base": {},
    "tactic": {"deck": "tactic"},
    "logic": {"deck": "tactic", "draft": True},
    "professional": {"professional": True},
}
RULES_HELP = "base, tactic, logic, professional and options, e.g. professional,limit=100,tie=left (default: base)"

class Failure(Exception):
    """What was asked for cannot be done. The text is one line for standard error."""

    code = 1


class Usage(Failure, argparse.ArgumentTypeError):
    """The command line is not understood; argparse takes it as the error of an argument."""

    code = 2


def one_line(text: str) -> str:
    """Return `text` with every character that would not print, like a line break, as an escape."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def note(text: str = "", end: str = "\n") -> None:
    """Write a notice or prompt to standard error, after all that standard output has so far."""
    if sys.stdout is not None:
        sys.stdout.flush()
    if sys.stderr is not None:
        print(text, end=end, file=sys.stderr, flush=True)


def number(text: str, what: str = "it", span: str = "") -> int:
    """Return the number that `text` is, in plain decimal figures; Usage, naming `what`, if it is not one.

    Whether it is in its range is for the caller, who names this range for a number too long to be in any: `span`.
    """
    found = _NUMBER.fullmatch(text)
    if not found:
        raise Usage(f"{what} must be a whole number, not {shortened(text)}")
    if len(found[1]) > _DIGITS:
        raise Usage(f"{what} must be {span or f'a whole number of at most {_DIGITS} digits'}, not {shortened(text)}")
    return int(text)


def readable(text: str) -> str:
    """Return `text` if it came in an encoding that was understood; a type for argparse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Usage(f"it must be text in the encoding of this terminal ({sys.getfilesystemencoding()})") from None
    return text


def in_range(low: int, high: int) -> Callable[[str], int]:
    """Return a type for argparse: a number low..high."""

    def parse(text: str) -> int:
        value = number(text, span=f"{low}..{high}")
        if not low <= value <= high:
            raise Usage(f"it must be {low}..{high}, not {value}")
        return value

    return parse


def shortened(text: str) -> str:
    """Return `text` in quotes, cut if it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def rules_of(text: str) -> nimmt.Rules:
    """Return the rules that `text` names: words of RULE_WORDS and options of nimmt.Rules as name=value, with commas.

    "professional,limit=100,tie=left"; "logic,professional". Usage if it is not understood. Also a type for argparse.
    """
    options: dict[str, object] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        given = {name: _option(name, value)} if equals else RULE_WORDS.get(name)
        if given is None:
            raise Usage(f"no rules are called {shortened(name)}: {', '.join(RULE_WORDS)}, or options as name=value")
        for key in given:
            if options.setdefault(key, given[key]) != given[key]:
                raise Usage(f"the rules give {key} twice: {options[key]} and {given[key]}")
    try:
        return nimmt.Rules(**options)  # type: ignore[arg-type]
    except nimmt.NimmtError as error:
        raise Usage(str(error)) from None


def _option(name: str, value: str) -> object:
    """Return the value of an option as nimmt.Rules takes it."""
    if name not in NAMES:
        raise Usage(f"{shortened(name)} is not an option of rules: they are {', '.join(NAMES)}")
    if name == "first_picker" and value == "rotate":
        return value
    if name not in CHOICES:
        return number(value, name, "0..9 or rotate" if name == "first_picker" else f"1..{MOST}")
    for choice in CHOICES[name]:
        if str(choice).lower() == value.lower():
            return choice
    choices = " or ".join(str(choice).lower() for choice in CHOICES[name])
    raise Usage(f"{name} must be {choices}, not {shortened(value)}")


def rules_text(rules: nimmt.Rules) -> str:
    """Return the shortest text that rules_of reads as these rules."""
    word = "logic" if rules.draft else rules.deck if rules.deck == "tactic" else ""
    parts = [word] if word else []
    if rules.professional:
        parts.append("professional")
    plain = nimmt.Rules(rounds=rules.rounds)
    for name in NAMES[3:]:
        value = getattr(rules, name)
        if value != getattr(plain, name) or name == "rounds" and value is not None:
            parts.append(f"{name}={value}")
    return ",".join(parts) or "base"
