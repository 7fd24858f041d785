"""The random streams (STREAM_VERSION 1): xoshiro128++ seeded by Threefry, as in nimmt.c.

Sources: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (Random123); Blackman and Vigna, xoshiro128++;
Lemire, "Fast random integer generation in an interval".
"""

from array import array

from .args import checked_word, in_range

STREAM_VERSION = 1

_MASK = 0xFFFFFFFF
_ROTATE = (10, 26, 11, 21, 13, 27, 23, 5, 6, 20, 17, 11, 25, 10, 18, 20)


def threefry(counter: "tuple[int, ...]", key: "tuple[int, ...]") -> "tuple[int, int, int, int]":
    """Threefry-4x32 with 20 rounds: the block `counter` (four 32-bit words) under `key` (four words)."""
    k = key + (0x1BD11BDA ^ key[0] ^ key[1] ^ key[2] ^ key[3],)
    a, b, c, d = [(counter[i] + k[i]) & _MASK for i in range(4)]
    for i in range(20):
        left, right = _ROTATE[2 * (i & 7)], _ROTATE[2 * (i & 7) + 1]
        a = (a + b) & _MASK
        c = (c + d) & _MASK
        b = ((b << left | b >> (32 - left)) & _MASK) ^ a
        d = ((d << right | d >> (32 - right)) & _MASK) ^ c
        b, d = d, b
        if i & 3 == 3:
            j = i // 4 + 1
            a = (a + k[j % 5]) & _MASK
            b = (b + k[(j + 1) % 5]) & _MASK
            c = (c + k[(j + 2) % 5]) & _MASK
            d = (d + k[(j + 3) % 5] + j) & _MASK
    return a, b, c, d


class Stream:
    """One stream of random numbers, started for one round of one game.

    `seed` and `game` are 0..2**64-1, `round` (counted from 0) is 0..2**32-1. `use` is 0 for deals and play; any other
    32-bit number gives an independent stream. Raises NimmtError for other numbers, TypeError for other types.
    """

    __slots__ = {"state": "An array of four 32-bit words, the bytes of the C struct."}

    def __init__(self, seed: int, game: int = 0, round: int = 0, use: int = 0) -> None:
        seed, game = checked_word(seed, "seed"), checked_word(game, "game")
        round, use = checked_word(round, "round", 32), checked_word(use, "use", 32)
        words = threefry((game & _MASK, game >> 32, round, use), (seed & _MASK, seed >> 32, 0, 0))
        self.state = array("I", words if any(words) else (1, 0, 0, 0))

    def next(self) -> int:
        """Return the next 32 bits."""
        s = self.state
        s0, s1, s2, s3 = s[0], s[1], s[2], s[3]
        x = (s0 + s3) & _MASK
        result = ((x << 7 | x >> 25) + s0) & _MASK
        s2 ^= s0
        s3 ^= s1
        s[1] = s1 ^ s2
        s[0] = s0 ^ s3
        s[2] = s2 ^ (s1 << 9 & _MASK)
        s[3] = (s3 << 11 | s3 >> 21) & _MASK
        return result

    def below(self, n: int) -> int:
        """Return a number in 0..n-1, each exactly equally likely; n is 1..65535, else NimmtError or TypeError."""
        if type(n) is not int or not 0 < n < 65536:
            n = in_range(n, "n", 1, 65535)
        while True:
            m = self.next() * n
            if m & _MASK >= n or m & _MASK >= 0x100000000 % n:
                return m >> 32


def as_stream(stream: Stream) -> Stream:
    """Return a stream; TypeError for anything else."""
    if not isinstance(stream, Stream):
        raise TypeError(f"stream must be nimmt.Stream, not {type(stream).__name__}")
    return stream
