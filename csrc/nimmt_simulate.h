/*
 * nimmt_simulate: many games of 6 nimmt! at once between the built-in policies, in C99.
 *
 * Needs nimmt.h and nimmt.c, the scalar core: every game here is, card for card, the game that nimmt_stream_seed,
 * nimmt_deal and nimmt_playout make of it, round after round. What is different is the speed: 64 rounds run in lockstep,
 * in loops that compilers turn into vector instructions (nimmt_lanes.h and nimmt_lanes_deal.h, included by nimmt_simulate.c).
 * No allocation, no globals: the caller owns all memory, and any number of threads may simulate at the same time, each with
 * a workspace of its own, and, if they make tallies, a tally of its own.
 *
 * A game is a pure function of (plan, seed, game number). Threads, processes and clusters only split the range of numbers.
 */
#ifndef NIMMT_SIMULATE_H
#define NIMMT_SIMULATE_H

#include <stddef.h>
#include <stdint.h>
#include "nimmt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What nimmt_simulate refuses, besides NIMMT_E_STATE and NIMMT_E_POLICY. */
enum {
    NIMMT_E_LIMIT = -20,  /* scores of this plan could pass 65535, or a game of it would have no end */
    NIMMT_E_GAMES = -21,  /* a game number would pass 2^64 - 1 */
    NIMMT_E_TALLY = -22,  /* a sum in the tally could pass 2^64 - 1 */
    NIMMT_E_VARIANT = -23 /* this build or this processor does not have this variant */
};

/* Which instructions the loops use. Results are the same. */
enum {
    NIMMT_VARIANT_BEST = 0,     /* the best that the processor has */
    NIMMT_VARIANT_BASELINE = 1, /* what the library was built for: SSE2 on x86-64, NEON on AArch64 */
    NIMMT_VARIANT_AVX2 = 2,     /* x86 built with gcc or clang */
    NIMMT_VARIANT_AVX512 = 3,   /* the same, with AVX-512 F, BW, DQ and VL */
    NIMMT_VARIANTS = 4
};

enum { NIMMT_SCORE_BINS = 512, NIMMT_HEADS_BINS = 172, NIMMT_ROUNDS_BINS = 64, NIMMT_WIN = 2520 };

/* What is played. Unused policies are ignored. */
typedef struct nimmt_plan {
    uint8_t players;      /* 2..10 */
    uint8_t highest;      /* highest card of the deck, 10 * players + 4 .. 104 */
    uint8_t flags;        /* the rules as in nimmt_round.flags, without NIMMT_UNKNOWN_HANDS */
    uint8_t variant;      /* NIMMT_VARIANT_BEST, or the one to use (tests, benches) */
    uint8_t policies[10]; /* by seat: NIMMT_RANDOM .. NIMMT_RANDOM_ROWS */
    uint8_t exceed;       /* 0: a game ends when a score is >= limit; 1: when one is > limit (R9) */
    uint8_t reserved;     /* 0 */
    uint32_t limit;       /* ignored if rounds is not 0 */
    uint32_t rounds;      /* a fixed number of rounds a game; 0: until the limit */
} nimmt_plan;

/*
 * Exact sums over many games, all counts. To merge two tallies of different games of one plan, add every word, but take the
 * larger rounds_most. Words of seats that are not in play are 0.
 */
typedef struct nimmt_tally {
    uint64_t games;
    uint64_t rounds;                     /* rounds a game: sum, ... */
    uint64_t rounds_squares;             /* ... sum of squares, ... */
    uint64_t rounds_most;                /* ... largest, ... */
    uint64_t rounds_histogram[64];       /* ... games by number of rounds; the last bin: 63 or more */
    uint64_t wins[10];                   /* by seat, in parts of 2520: a shared win is 2520 / winners for each of them (R10) */
    uint64_t scores[10];                 /* scores a game: sum, ... */
    uint64_t scores_squares[10];         /* ... sum of squares, ... */
    uint64_t scores_histogram[10][512];  /* ... games by score; the last bin: 511 or more */
    uint64_t heads[10];                  /* heads a round: sum, ... */
    uint64_t heads_squares[10];          /* ... sum of squares, ... */
    uint64_t heads_histogram[10][172];   /* ... rounds by heads, 0..171 */
} nimmt_tally;

/* Bytes of a workspace; the same number for all plans and variants of one build. Any alignment, any content. */
size_t nimmt_workspace_size(void);

/* Checks a plan. Returns 0 or NIMMT_E_STATE, NIMMT_E_POLICY, NIMMT_E_LIMIT, NIMMT_E_VARIANT, as nimmt_simulate does. */
int nimmt_plan_check(const nimmt_plan *plan);

/*
 * Plays the games numbered first .. first + games - 1 under `seed`. Writes, where the pointer is not NULL,
 * scores[i * players + seat] and rounds[i] of game first + i, and adds the games to the tally, which must be all zeros or
 * come from earlier calls of the same plan. workspace has nimmt_workspace_size() bytes.
 *
 * Returns 0, or without any effect (the workspace may have been written to):
 *   NIMMT_E_STATE    players, highest or flags that nimmt_deal refuses; reserved not 0; exceed above 1
 *   NIMMT_E_POLICY   a policy that does not exist
 *   NIMMT_E_LIMIT    a score could pass 65535: rounds * (heads in the deck) or limit (+ 1 if exceed) - 1 + (heads in the
 *                    deck) is larger; so with the full deck at most 383 rounds, or a limit of 65365 (exceed: 65364)
 *   NIMMT_E_GAMES    first + games - 1 passes 2^64 - 1
 *   NIMMT_E_TALLY    games, with those in the tally, times the square of the largest possible score or number of rounds,
 *                    or times 2520, passes 2^64 - 1; with limit 66 that is beyond 10^13 games
 *   NIMMT_E_VARIANT  plan->variant is not to be had here
 *
 * Uses the scalar core for the rare round (one in thousands) in which a draw may have to be repeated.
 */
int nimmt_simulate(const nimmt_plan *plan, uint64_t seed, uint64_t first, uint64_t games, uint16_t *scores, uint32_t *rounds,
                   nimmt_tally *tally, void *workspace);

/* The variant that NIMMT_VARIANT_BEST means here: NIMMT_VARIANT_BASELINE, _AVX2 or _AVX512. */
int nimmt_variant_best(void);

/* 1 if nimmt_simulate can use this variant here, else 0. NIMMT_VARIANT_BEST always can be used. */
int nimmt_variant_usable(int variant);

/*
 * Its name: "avx512", "avx2", or for NIMMT_VARIANT_BASELINE "sse2", "neon" or "plain" (no vectors that we know of); for
 * NIMMT_VARIANT_BEST the name of the best. NULL for other numbers.
 */
const char *nimmt_variant_name(int variant);

#ifdef __cplusplus
}
#endif

#endif
