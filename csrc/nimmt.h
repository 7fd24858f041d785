/*
 * nimmt: the card game 6 nimmt! (Take 5) in freestanding C99.
 *
 * Two files, nimmt.h and nimmt.c: no allocation, no globals, no libc.
 * The caller owns all memory.
 * All that there is to know of a round is one struct of bytes without padding: equality is memcmp, a copy is memcpy, a bug
 * report is a hex string, and the same bytes mean the same round on every machine and in Python.
 *
 *     nimmt_stream_seed(&stream, 7, 0, 0, 0);                  seed 7, game 0, round 0
 *     nimmt_deal(&round, 4, NIMMT_CARDS, 0, &stream);          four players
 *     count = nimmt_play(&round, cards, log);                  one turn: a card of each seat
 *     while (round.phase == NIMMT_TAKE) {
 *         count = nimmt_take(&round, round.owes, row, log);    a seat that owes a row takes one
 *     }
 *
 * For all functions:
 * A result below 0 is a code NIMMT_E_...: the call is refused, and nothing has changed.
 * Pointers must be valid; a log may be NULL.
 * A round must be one that nimmt_check accepts, but for nimmt_setup, nimmt_deal and nimmt_check, which take any bytes, and
 * for one use of nimmt_resolve.
 * Letters and numbers (R5, P4, A1) are the rules in RULES.md.
 */
#ifndef NIMMT_H
#define NIMMT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NIMMT_VERSION_MAJOR 0
#define NIMMT_VERSION_MINOR 1
#define NIMMT_VERSION_PATCH 0
#define NIMMT_STREAM_VERSION 1 /* same seed, same game, as long as this number stays */

#define NIMMT_ROUND_SIZE 164 /* bytes of a nimmt_round */

enum { NIMMT_CARDS = 104, NIMMT_SEATS = 10, NIMMT_ROWS = 4, NIMMT_LONGEST = 5, NIMMT_TURNS = 10 };

/* nimmt_round.flags: the rules of the round. At most one of each pair; without either the default holds. */
enum {
    NIMMT_PROFESSIONAL = 1,    /* V3: cards may also go left of a row */
    NIMMT_TIE_RIGHT = 2,       /* P4: a tie goes right of a row ... */
    NIMMT_TIE_LEFT = 4,        /* ... or left of one; default: its owner chooses */
    NIMMT_CHEAPEST_FEWEST = 8, /* A1: of equally cheap rows the one with fewest cards ... */
    NIMMT_CHEAPEST_MOST = 16,  /* ... or most cards, then the lowest row; default: the lowest row */
    NIMMT_UNKNOWN_HANDS = 32   /* real cards on a table: any card not seen this round may be chosen */
};

/* nimmt_round.phase */
enum {
    NIMMT_CHOOSE = 0, /* seats choose cards, in any order */
    NIMMT_TAKE = 1,   /* all cards are shown, some may be placed; seat `owes` must take a row */
    NIMMT_OVER = 2    /* ten turns are played */
};

/* nimmt_placed.side */
enum { NIMMT_TOOK = 0, NIMMT_RIGHT = 1, NIMMT_LEFT = 2 };

/* Built-in policies, see nimmt_policy_card. */
enum { NIMMT_RANDOM = 0, NIMMT_LOWEST = 1, NIMMT_HIGHEST = 2, NIMMT_NEAREST = 3, NIMMT_RANDOM_ROWS = 4, NIMMT_POLICIES = 5 };

/* Why a call is refused. */
enum {
    NIMMT_E_PHASE = -1,   /* this is not the time for it */
    NIMMT_E_SEAT = -2,    /* the seat is not at the table */
    NIMMT_E_CARD = -3,    /* the card is not in the deck */
    NIMMT_E_HELD = -4,    /* the card is not in the hand; with unknown hands: it was seen, or is chosen by another seat */
    NIMMT_E_SAME = -5,    /* the seat has chosen this card already */
    NIMMT_E_MISSING = -6, /* a seat has not chosen */
    NIMMT_E_OWES = -7,    /* the seat does not owe a row */
    NIMMT_E_ROW = -8,     /* the row may not be taken */
    NIMMT_E_STATE = -9,   /* the arguments do not make a round of this game */
    NIMMT_E_POLICY = -10, /* the policy does not exist, or needs hands that are unknown */
    NIMMT_E_NOTHING = -11 /* the seat has not chosen, so nothing can be withdrawn */
};

/* A round. Bytes that are not in use are 0. */
typedef struct nimmt_round {
    uint8_t players;         /* 2..10 */
    uint8_t highest;         /* highest card of the deck, 10 * players + 4 .. 104 */
    uint8_t flags;           /* the rules, see above */
    uint8_t phase;
    uint8_t turn;            /* turns finished, 0..10 */
    uint8_t owes;            /* in NIMMT_TAKE: the seat that must take a row */
    uint8_t allowed;         /* in NIMMT_TAKE: the rows it may take, bit 0 is row 0 */
    uint8_t length[4];       /* of each row, 1..5 */
    uint8_t rows[4][5];      /* in table order, ascending */
    uint8_t chosen[10];      /* by seat: the card chosen, or shown and not yet placed */
    uint8_t heads[10];       /* by seat: bull heads taken this round */
    uint8_t seen[13];        /* cards that were face up this round: bit 0 of byte 0 is card 1 */
    uint8_t hands[10][10];   /* by seat, ascending; a chosen card stays in the hand until all are shown */
} nimmt_round;

/* One placement, as nimmt_play, nimmt_resolve and nimmt_take report it. */
typedef struct nimmt_placed {
    uint8_t seat, card, row;
    uint8_t side;            /* NIMMT_RIGHT, NIMMT_LEFT, or NIMMT_TOOK for a row taken by choice (R7, P3) */
    uint8_t taken[5];        /* the cards taken, in table order, then zeros */
} nimmt_placed;

/* A random stream: xoshiro128++, seeded by Threefry-4x32-20. Never all zero. */
typedef struct nimmt_stream {
    uint32_t s[4];
} nimmt_stream;

/* A round, from the deal to the tenth turn ---------------------------------------------------------------------------- */

/*
 * Shuffles the cards 1..highest and opens a round with them (R3, V1).
 * players: 2..10. highest: 10 * players + 4 .. 104. flags: the rules, but not NIMMT_UNKNOWN_HANDS.
 * Returns 0, or NIMMT_E_STATE for other numbers; then the stream is as it was.
 */
int nimmt_deal(nimmt_round *round, int players, int highest, int flags, nimmt_stream *stream);

/*
 * A seat chooses a card, in secret, or another one in its place (R4, H5).
 * When all have chosen, nimmt_resolve goes on.
 * Returns 0, or NIMMT_E_PHASE, NIMMT_E_SEAT, NIMMT_E_CARD, NIMMT_E_HELD, NIMMT_E_SAME.
 */
int nimmt_choose(nimmt_round *round, int seat, int card);

/*
 * A seat takes its choice back.
 * Returns 0, or NIMMT_E_PHASE, NIMMT_E_SEAT, NIMMT_E_NOTHING.
 */
int nimmt_withdraw(nimmt_round *round, int seat);

/*
 * All choose, cards[players] by seat, and the cards are placed: nimmt_choose for every seat and nimmt_resolve in one step.
 * Earlier choices are replaced.
 * Returns what nimmt_resolve returns, or NIMMT_E_PHASE, NIMMT_E_CARD, NIMMT_E_HELD (also for a card that two seats play).
 */
int nimmt_play(nimmt_round *round, const uint8_t *cards, nimmt_placed *log);

/*
 * All have chosen: shows the cards and places them, lowest first (R4..R8), until all are placed or a row is owed.
 * Writes what it placed to log, which has room for ten, and returns how many; `phase` tells what is next.
 * Returns NIMMT_E_MISSING if a seat has not chosen, NIMMT_E_PHASE after the tenth turn or where a row is owed.
 *
 * It also places cards outside a round, and then takes a struct that nimmt_check refuses: rows, players, flags, phase
 * NIMMT_TAKE, allowed 0, and cards lying in `chosen`. Where a row is owed there nimmt_take goes on, and nimmt_rows_for and
 * nimmt_cheapest can be asked; when no card lies, `turn` has grown by one.
 */
int nimmt_resolve(nimmt_round *round, nimmt_placed *log);

/*
 * The seat that owes a row takes it (R7, P3), or in a tie places its card there (P4); then placing goes on.
 * Returns what nimmt_resolve returns, or NIMMT_E_PHASE, NIMMT_E_SEAT, NIMMT_E_OWES, NIMMT_E_ROW.
 */
int nimmt_take(nimmt_round *round, int seat, int row, nimmt_placed *log);

/* Questions ----------------------------------------------------------------------------------------------------------- */

/*
 * Where a card would go now, one bit for each row, bit 0 is row 0.
 * One bit: the row it joins (R5, P1). Two: a tie that its owner decides (P4). All four: it takes a row (R7, P3).
 * card: 1..104, and in no row.
 */
int nimmt_rows_for(const nimmt_round *round, int card);

/* The cheapest of the rows in `mask`, which is not 0, for a card that may take any of them (A1, A2): 0..3. */
int nimmt_cheapest(const nimmt_round *round, int card, int mask);

/* Bull heads of a card (R2): 1, 2, 3, 5 or 7; 0 if card is not in 1..104. */
int nimmt_bull_heads(int card);

/* Positions and any bytes --------------------------------------------------------------------------------------------- */

/*
 * Opens a round with cards that are given.
 * open: the four cards that open the rows. hands: ten cards a seat, seat by seat, in any order; neither lies in *round.
 * hands may be NULL: they are unknown, as with real cards. NIMMT_UNKNOWN_HANDS is set accordingly, whatever flags say.
 * Returns 0, or NIMMT_E_STATE: players, highest or flags as for nimmt_deal; a card outside 1..highest, or there twice.
 */
int nimmt_setup(nimmt_round *round, int players, int highest, int flags, const uint8_t open[4], const uint8_t *hands);

/*
 * Is this a round that the rules can lead to, or a position that one can go on from?
 * Takes any bytes. Checks every field, that cards are where they may be and only once, and that the heads taken are those
 * of the cards gone.
 * Returns 0 or NIMMT_E_STATE.
 */
int nimmt_check(const nimmt_round *round);

/* Built-in policies --------------------------------------------------------------------------------------------------- */

/*
 * The card that a policy chooses for a seat in NIMMT_CHOOSE whose hand is known.
 * NIMMT_RANDOM, NIMMT_RANDOM_ROWS: any card, equally likely, one draw of the stream.
 * NIMMT_LOWEST, NIMMT_HIGHEST: that card of the hand.
 * NIMMT_NEAREST: of the cards that would now go to a row with fewer than five cards (in a tie the row that A2 takes) the
 * nearest to its end, of equal ones the lowest; else the lowest card.
 * The stream may be NULL if nothing is drawn.
 * Returns the card, or NIMMT_E_PHASE, NIMMT_E_SEAT, NIMMT_E_POLICY.
 */
int nimmt_policy_card(const nimmt_round *round, int seat, int policy, nimmt_stream *stream);

/*
 * The row that a policy takes for the seat that owes one.
 * NIMMT_RANDOM_ROWS: any of the allowed rows, equally likely, one draw. All others: nimmt_cheapest.
 * The stream may be NULL if nothing is drawn.
 * Returns the row, or NIMMT_E_PHASE, NIMMT_E_POLICY.
 */
int nimmt_policy_row(const nimmt_round *round, int policy, nimmt_stream *stream);

/*
 * Plays the round to its end from wherever it is: policies[players], one a seat.
 * Draws turn by turn, seats in order for the card, then rows as they are owed. Cards chosen before stay chosen.
 * The stream may be NULL if nothing is drawn.
 * Returns 0, or NIMMT_E_POLICY; then nothing was drawn.
 */
int nimmt_playout(nimmt_round *round, const uint8_t *policies, nimmt_stream *stream);

/* Random streams ------------------------------------------------------------------------------------------------------ */

/*
 * Starts the stream of one round: round `round` (from 0) of game `game` under `seed`.
 * use: 0 for deals and play; any other number gives an independent stream for purposes of the caller.
 */
void nimmt_stream_seed(nimmt_stream *stream, uint64_t seed, uint64_t game, uint32_t round, uint32_t use);

/* The next 32 bits. */
uint32_t nimmt_stream_next(nimmt_stream *stream);

/* A number in 0..n-1, each exactly equally likely (Lemire). n: 1..65535. */
uint32_t nimmt_stream_below(nimmt_stream *stream, uint32_t n);

/*
 * Threefry-4x32 with 20 rounds (Random123): out = the block `counter` under `key`, first word first. out may be counter.
 */
void nimmt_threefry(uint32_t out[4], const uint32_t counter[4], const uint32_t key[4]);

#ifdef __cplusplus
}
#endif

#endif
