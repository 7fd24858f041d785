"""Cards and their bull heads (R1, R2)."""

CARDS = 104

#: Bull heads by card number; entry 0 is no card. A table, as in the C core.
HEADS = bytes(
    0 if c == 0 else 7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1
    for c in range(CARDS + 1)
)
