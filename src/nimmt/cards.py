"""Cards and their bull heads (R1, R2)."""

from .errors import NimmtError, as_int

CARDS = 104

#: Bull heads by card number; entry 0 is no card. A table, as in the C core.
HEADS = bytes(
    0 if c == 0 else 7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1
    for c in range(CARDS + 1)
)


def bull_heads(card: int) -> int:
    """Return the bull heads of a card, 1, 2, 3, 5 or 7 (R2).

    Raises TypeError if `card` is no integer and NimmtError if it is not in 1..104.
    """
    card = as_int(card, "card")
    if not 1 <= card <= CARDS:
        raise NimmtError(f"there is no card {card}: cards are 1..104 (R1)")
    return HEADS[card]
