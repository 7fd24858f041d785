/*
 * nimmt: the card game 6 nimmt! (Take 5) in freestanding C99.
 *
 * Two files, nimmt.h and nimmt.c: no allocation, no globals, no libc. The caller owns all memory. Everything there is to
 * know of a round is one struct of bytes without padding, so equality is memcmp, a copy is memcpy, a bug report is a hex
 * string, and the same bytes mean the same round on every machine and in the Python twin of this file.
 *
 * Functions that return int give a number >= 0 or one of the negative codes below. A call that fails changes nothing.
 * Pointers must be valid; a log may be NULL. The struct given to any function but nimmt_setup, nimmt_deal and nimmt_check
 * must be one that nimmt_check accepts (nimmt_resolve names one exception). Letters and numbers (R5, P4, A1) are the rules
 * in RULES.md.
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

enum { NIMMT_CARDS = 104, NIMMT_SEATS = 10, NIMMT_ROWS = 4, NIMMT_LONGEST = 5, NIMMT_TURNS = 10 };

/* nimmt_round.flags: the rules of the round. At most one of each pair; none of a pair is the default. */
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

/* What a call refuses. */
enum {
    NIMMT_E_PHASE = -1,   /* not in this phase */
    NIMMT_E_SEAT = -2,    /* no such seat */
    NIMMT_E_CARD = -3,    /* no such card in this deck */
    NIMMT_E_HELD = -4,    /* not in this hand; with unknown hands: seen before, or chosen by another seat */
    NIMMT_E_SAME = -5,    /* this seat has chosen this card already */
    NIMMT_E_MISSING = -6, /* a seat has not chosen */
    NIMMT_E_OWES = -7,    /* this seat owes no row */
    NIMMT_E_ROW = -8,     /* this row may not be taken */
    NIMMT_E_STATE = -9,   /* the arguments do not make a round of this game */
    NIMMT_E_POLICY = -10, /* no such policy, or one that would need to see unknown hands */
    NIMMT_E_NOTHING = -11 /* nothing chosen that could be withdrawn */
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

/* Bull heads of a card (R2): 1, 2, 3, 5 or 7; 0 if card is not in 1..104. */
int nimmt_bull_heads(int card);

/* Threefry-4x32 with 20 rounds (Random123): out = the block `counter` under `key`, first word first. out may be counter. */
void nimmt_threefry(uint32_t out[4], const uint32_t counter[4], const uint32_t key[4]);

/*
 * Starts the stream of one round: round `round` (from 0) of game `game` under `seed`. `use` is 0 for deals and play; any
 * other number gives an independent stream for purposes of the caller.
 */
void nimmt_stream_seed(nimmt_stream *stream, uint64_t seed, uint64_t game, uint32_t round, uint32_t use);

/* The next 32 bits. */
uint32_t nimmt_stream_next(nimmt_stream *stream);

/* A number in 0..n-1, each exactly equally likely (Lemire). n is 1..65535. */
uint32_t nimmt_stream_below(nimmt_stream *stream, uint32_t n);

/*
 * Opens a round: `open` has the four cards that open the rows, `hands` ten cards a seat, seat by seat in any order, or is
 * NULL for unknown hands (NIMMT_UNKNOWN_HANDS is set accordingly); neither may lie in *round. Returns 0 or NIMMT_E_STATE: players outside 2..10,
 * highest outside 10 * players + 4 .. 104, unknown flags, both flags of a pair, a card outside 1..highest or twice.
 */
int nimmt_setup(nimmt_round *round, int players, int highest, int flags, const uint8_t open[4], const uint8_t *hands);

/*
 * Shuffles the cards 1..highest and opens a round with them (R3, V1). Returns 0, or NIMMT_E_STATE as nimmt_setup does, and
 * for NIMMT_UNKNOWN_HANDS; then the stream is as it was.
 */
int nimmt_deal(nimmt_round *round, int players, int highest, int flags, nimmt_stream *stream);

/*
 * Is this a round that the rules can lead to, or a position one can go on from? Takes any bytes. Checks every field, that
 * cards are where they may be and only once, and that the heads taken are those of the cards gone. Returns 0 or NIMMT_E_STATE.
 */
int nimmt_check(const nimmt_round *round);

/*
 * A seat chooses a card, in secret, or another one in its place (R4, H5). Returns 0, or NIMMT_E_PHASE, NIMMT_E_SEAT,
 * NIMMT_E_CARD, NIMMT_E_HELD, NIMMT_E_SAME. When all have chosen, nimmt_resolve goes on.
 */
int nimmt_choose(nimmt_round *round, int seat, int card);

/* Takes a choice back. Returns 0, or NIMMT_E_PHASE, NIMMT_E_SEAT, NIMMT_E_NOTHING. */
int nimmt_withdraw(nimmt_round *round, int seat);

/*
 * All have chosen: shows the cards and places them, lowest first (R4..R8), until none lies or a row is owed. Writes what
 * it placed to log (room for ten) and returns how many; or NIMMT_E_PHASE, NIMMT_E_MISSING. Afterwards `phase` tells what
 * is next. Also places cards outside a round, and then takes a struct that nimmt_check refuses: rows, players, flags, phase
 * NIMMT_TAKE, allowed 0 and cards lying in `chosen`. Where a row is owed there nimmt_take goes on, and nimmt_rows_for and
 * nimmt_cheapest can be asked; when no card lies, `turn` has grown by one.
 */
int nimmt_resolve(nimmt_round *round, nimmt_placed *log);

/*
 * nimmt_choose for every seat (cards[players]; earlier choices are replaced) and nimmt_resolve in one step. Returns as
 * nimmt_resolve, or NIMMT_E_PHASE, NIMMT_E_CARD, NIMMT_E_HELD (also for a card that two seats play).
 */
int nimmt_play(nimmt_round *round, const uint8_t *cards, nimmt_placed *log);

/*
 * The seat that owes a row takes it (R7, P3), or in a tie places its card there (P4); then placing goes on as in
 * nimmt_resolve, with the same return. Errors: NIMMT_E_PHASE, NIMMT_E_SEAT, NIMMT_E_OWES, NIMMT_E_ROW.
 */
int nimmt_take(nimmt_round *round, int seat, int row, nimmt_placed *log);

/*
 * Where a card would go now: one bit for the row it joins (R5, P1), two for a tie its owner decides (P4), all four if it
 * fits nowhere and takes a row (R7, P3). card is 1..104 and in no row.
 */
int nimmt_rows_for(const nimmt_round *round, int card);

/* The cheapest of the rows in `mask` (not 0) for a card that may take any of them (A1, A2). */
int nimmt_cheapest(const nimmt_round *round, int card, int mask);

/*
 * The card a built-in policy chooses for a seat in NIMMT_CHOOSE with a known hand. NIMMT_RANDOM and NIMMT_RANDOM_ROWS: any,
 * equally likely, one draw of the stream; NIMMT_LOWEST; NIMMT_HIGHEST; NIMMT_NEAREST: of the cards that would now go to a
 * row with fewer than five cards the nearest to its end, of equal ones the lowest, else the lowest card (in a tie the row
 * that A2 takes). Returns the card, or NIMMT_E_PHASE, NIMMT_E_SEAT, NIMMT_E_POLICY. The stream may be NULL if nothing is drawn.
 */
int nimmt_policy_card(const nimmt_round *round, int seat, int policy, nimmt_stream *stream);

/*
 * The row a built-in policy takes for the seat that owes one: nimmt_cheapest, or for NIMMT_RANDOM_ROWS any of the allowed
 * rows, equally likely, one draw. Returns the row, or NIMMT_E_PHASE, NIMMT_E_POLICY. The stream may be NULL if nothing is
 * drawn.
 */
int nimmt_policy_row(const nimmt_round *round, int policy, nimmt_stream *stream);

/*
 * Plays the round to its end from wherever it is: policies[players], one a seat. Draws turn by turn, seats in order for the
 * card, then rows as they are owed. Cards chosen before stay chosen. Returns 0 or NIMMT_E_POLICY (then nothing was drawn).
 * The stream may be NULL if nothing is drawn.
 */
int nimmt_playout(nimmt_round *round, const uint8_t *policies, nimmt_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
