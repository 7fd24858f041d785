/*
 * nimmt_batch: the moves of a caller for many rounds of 6 nimmt! at once, in C99.
 *
 * Needs nimmt.h and nimmt.c: plain loops over the scalar core, so that a program pays for one call a turn and not for one
 * a card. All rounds of a block have the same number of players and the same rules; block[i] is round i, players is that
 * of block[0], and tables by seat have seat s of round i at [i * players + s]. No allocation, no globals; the caller owns
 * all memory. A call that refuses anything changes nothing in any round.
 *
 * Functions that check return the number of rounds that refuse, and write what each round says, 0 or a code of nimmt.h,
 * to codes[rounds] if that is not NULL.
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
 * Deals all rounds: block[i] and streams[i] are what nimmt_stream_seed (use 0) and nimmt_deal make of round `round` of game
 * first + i, which must not pass 2^64 - 1. Returns 0 or NIMMT_E_STATE as nimmt_deal does, then without any effect.
 */
int nimmt_batch_deal(nimmt_round *block, nimmt_stream *streams, size_t rounds, int players, int highest, int flags,
                      uint64_t seed, uint64_t first, uint32_t round);

/* Are all of these rounds, of the same players and rules, with known hands? Takes any bytes. Returns 0 or NIMMT_E_STATE. */
int nimmt_batch_check(const nimmt_round *block, size_t rounds);

/*
 * Every seat of every round chooses a card; earlier choices are replaced. Nothing is shown yet. Codes: NIMMT_E_PHASE,
 * NIMMT_E_CARD, NIMMT_E_HELD.
 */
size_t nimmt_batch_choose(nimmt_round *block, size_t rounds, const uint8_t *cards, int8_t *codes);

/*
 * Shows and places the chosen cards of all rounds. Rows that are owed are taken as nimmt_policy_row does for `policy`,
 * which may draw from the streams; or if policy is negative they stay owed, and nimmt_batch_take goes on. Writes the heads
 * that each seat takes meanwhile to heads[rounds * players] if that is not NULL. policy is below NIMMT_POLICIES. Codes:
 * NIMMT_E_PHASE, NIMMT_E_MISSING.
 */
size_t nimmt_batch_resolve(nimmt_round *block, nimmt_stream *streams, size_t rounds, int policy, uint8_t *heads,
                            int8_t *codes);

/*
 * In each round that owes a row its seat takes rows[i], then placing goes on until it ends or the next row is owed; rows[i]
 * of other rounds is not looked at, and their heads are 0. heads as in nimmt_batch_resolve. Code: NIMMT_E_ROW.
 */
size_t nimmt_batch_take(nimmt_round *block, size_t rounds, const uint8_t *rows, uint8_t *heads, int8_t *codes);

/* How many rounds owe a row? */
size_t nimmt_batch_owing(const nimmt_round *block, size_t rounds);

/*
 * The cards that built-in policies choose, policies[players], by seat; 255 leaves cards of that seat as they are. Draws as
 * nimmt_policy_card does, seats in order. All rounds must be in NIMMT_CHOOSE, else returns NIMMT_E_PHASE; NIMMT_E_POLICY for
 * a number that is no policy; then without any effect. Otherwise 0.
 */
int nimmt_batch_policy(const nimmt_round *block, nimmt_stream *streams, size_t rounds, const uint8_t *policies,
                        uint8_t *cards);

/*
 * What may be chosen: legal[rounds * players * 105] is 1 at [(i * players + seat) * 105 + card] if the seat holds the card
 * in NIMMT_CHOOSE, else 0; entry 0 is no card.
 */
void nimmt_batch_legal(const nimmt_round *block, size_t rounds, uint8_t *legal);

/*
 * Integers of any width as bytes: those outside 0..255, in two's complement, become 255. size is 1, 2, 4 or 8 bytes, in the
 * machine's order; any alignment.
 */
void nimmt_batch_narrow(uint8_t *to, const void *from, size_t count, size_t size);

#ifdef __cplusplus
}
#endif

#endif
