/*
 * nimmt_batch: many rounds of 6 nimmt! at once, with moves of the caller, in C99.
 *
 * Needs nimmt.h and nimmt.c; a program pays for one call a turn and not for one a card.
 * No allocation, no globals: the caller owns all memory.
 * block[i] is round i. All rounds have the same rules and the same number of players, that of block[0].
 * Tables by seat have seat s of round i at [i * players + s].
 *
 * Functions that take codes[rounds] return how many rounds refuse; then nothing has changed in any round.
 * They write what each round says, 0 or a code of nimmt.h, to codes if that is not NULL.
 */
#ifndef NIMMT_BATCH_H
#define NIMMT_BATCH_H

#include <stddef.h>
#include <stdint.h>
#include "nimmt.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Deals all rounds: block[i] and streams[i] are what nimmt_stream_seed (use 0) and nimmt_deal make of round `round` of
 * game first + i.
 * first + rounds - 1 must not pass 2^64 - 1.
 * Returns 0, or NIMMT_E_STATE as nimmt_deal does; then nothing has changed.
 */
int nimmt_batch_deal(nimmt_round *block, nimmt_stream *streams, size_t rounds, int players, int highest, int flags,
                     uint64_t seed, uint64_t first, uint32_t round);

/*
 * Does nimmt_check accept all rounds, are their players and rules the same, and all hands known?
 * Takes any bytes.
 * Returns 0 or NIMMT_E_STATE.
 */
int nimmt_batch_check(const nimmt_round *block, size_t rounds);

/*
 * Every seat of every round chooses a card: cards[rounds * players].
 * Earlier choices are replaced, and nothing is shown yet.
 * Codes: NIMMT_E_PHASE, NIMMT_E_CARD, NIMMT_E_HELD.
 */
size_t nimmt_batch_choose(nimmt_round *block, size_t rounds, const uint8_t *cards, int8_t *codes);

/*
 * Shows and places the chosen cards of all rounds.
 * policy: below NIMMT_POLICIES: rows that are owed are taken as nimmt_policy_row does, which may draw from the streams.
 * Negative: they stay owed, and nimmt_batch_take goes on.
 * heads[rounds * players], if it is not NULL, gets the heads that each seat takes in this call.
 * Codes: NIMMT_E_PHASE, NIMMT_E_MISSING.
 */
size_t nimmt_batch_resolve(nimmt_round *block, nimmt_stream *streams, size_t rounds, int policy, uint8_t *heads,
                           int8_t *codes);

/*
 * In each round that owes a row its seat takes rows[i], then cards are placed until all are, or the next row is owed.
 * In other rounds rows[i] is not read, and the heads are 0.
 * heads: as for nimmt_batch_resolve.
 * Code: NIMMT_E_ROW.
 */
size_t nimmt_batch_take(nimmt_round *block, size_t rounds, const uint8_t *rows, uint8_t *heads, int8_t *codes);

/* How many rounds owe a row? */
size_t nimmt_batch_owing(const nimmt_round *block, size_t rounds);

/*
 * Writes the cards that built-in policies choose to cards[rounds * players].
 * policies[players], by seat; 255 leaves the cards of that seat as they are.
 * Draws as nimmt_policy_card does, seats in order.
 * Returns 0, NIMMT_E_PHASE if a round is not in NIMMT_CHOOSE, or NIMMT_E_POLICY; then nothing was written or drawn.
 */
int nimmt_batch_policy(const nimmt_round *block, nimmt_stream *streams, size_t rounds, const uint8_t *policies,
                       uint8_t *cards);

/*
 * Plays all rounds to their end from wherever they are, as nimmt_playout does for each: policies[players], by seat.
 * Returns 0, or NIMMT_E_POLICY; then nothing was played or drawn.
 */
int nimmt_batch_playout(nimmt_round *block, nimmt_stream *streams, size_t rounds, const uint8_t *policies);

/*
 * Writes what may be chosen to legal[rounds * players * 105].
 * [(i * players + seat) * 105 + card] is 1 if the seat holds the card in NIMMT_CHOOSE, else 0. Entry 0 is always 0.
 */
void nimmt_batch_legal(const nimmt_round *block, size_t rounds, uint8_t *legal);

/*
 * Places the cards of one turn in many positions, as nimmt_resolve and nimmt_take do outside a round.
 * rows[positions * 20]: four rows each of five bytes, 1..5 ascending cards and then zeros.
 * cards[positions * players]: the card of each seat, 0 if it does not play. players: 1..10.
 * take[positions * players]: the row that each seat takes if it owes one. If that is not 0..3 placing stops there, and
 * everywhere if take is NULL.
 * flags: NIMMT_PROFESSIONAL, and one of NIMMT_TIE_RIGHT and NIMMT_TIE_LEFT, or neither.
 * Writes the rows after placing to placed[positions * 20], the heads that each seat takes to heads[positions * players], and
 * the seat that owes a row, or 255, and the rows it may take, or 0, to owes[positions] and allowed[positions].
 * Codes, where nothing is written: NIMMT_E_STATE for rows that cannot be, NIMMT_E_CARD, NIMMT_E_HELD for a card that is there
 * twice, NIMMT_E_MISSING if nobody plays, NIMMT_E_ROW for a row that may not be taken. Other positions are written all the same.
 */
size_t nimmt_batch_place(const uint8_t *rows, const uint8_t *cards, const uint8_t *take, size_t positions, int players,
                         int flags, uint8_t *placed, uint8_t *heads, uint8_t *owes, uint8_t *allowed, int8_t *codes);

/*
 * Makes bytes of integers in two's complement; those outside 0..255 become 255.
 * size: 1, 2, 4 or 8 bytes each, in the machine's order, at any alignment.
 */
void nimmt_batch_narrow(uint8_t *to, const void *from, size_t count, size_t size);

#ifdef __cplusplus
}
#endif

#endif
