"""The bytes of a round, the codes of the core, the heads of the cards: csrc/nimmt.h in Python, compared by a test."""

CARDS = 104

#: Bull heads by card (R2); entry 0 is not a card.
HEADS = bytes(
    0 if c == 0 else 7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1
    for c in range(CARDS + 1)
)

# Where things are in the bytes of a round.
PLAYERS, HIGHEST, FLAGS, PHASE, TURN, OWES, ALLOWED, LENGTH, ROWS = 0, 1, 2, 3, 4, 5, 6, 7, 11
CHOSEN, TAKEN, SEEN, HANDS, SIZE = 31, 41, 51, 64, 164
PLACED = 9  # bytes of a placement: seat, card, row, side, five cards taken

PROFESSIONAL, TIE_RIGHT, TIE_LEFT, CHEAPEST_FEWEST, CHEAPEST_MOST, UNKNOWN_HANDS = 1, 2, 4, 8, 16, 32
CHOOSE, TAKE, OVER = 0, 1, 2
TOOK, RIGHT, LEFT = 0, 1, 2

# What a verb returns that refuses.
E_PHASE, E_SEAT, E_CARD, E_HELD, E_SAME, E_MISSING = -1, -2, -3, -4, -5, -6
E_OWES, E_ROW, E_STATE, E_POLICY, E_NOTHING = -7, -8, -9, -10, -11

# The built-in policies.
RANDOM, LOWEST, HIGHEST_CARD, NEAREST, RANDOM_ROWS, POLICIES = 0, 1, 2, 3, 4, 5
