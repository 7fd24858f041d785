/*
 * nimmt_rollouts: the moves of one seat compared over many worlds, in C99.
 *
 * Needs nimmt.h and nimmt.c. A world is a way in which the cards that the seat does not see may be dealt. In each world every
 * move of the seat is tried with the same hands and the same draws, and built-in policies play the rest of the round.
 * No allocation, no globals; the caller owns all memory.
 */
#ifndef NIMMT_ROLLOUTS_H
#define NIMMT_ROLLOUTS_H

#include <stdint.h>
#include "nimmt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NIMMT_USE_WORLDS = 2 }; /* the `use` of their streams, see nimmt_stream_seed */

/*
 * Tries the moves of a seat in the worlds numbered first .. first + worlds - 1, the last of which must not pass 2^64 - 1.
 *
 * position: in NIMMT_CHOOSE the moves are the cards of the seat, ascending, and cards chosen so far are chosen anew; in
 * NIMMT_TAKE, where the seat owes a row, they are the rows that are allowed, ascending. hidden: the seats whose hands the
 * seat does not know, bit 0 is seat 0; their hands in the position are all 0. policies[players], by seat.
 *
 * World w: nimmt_stream_seed(seed, w, 0, NIMMT_USE_WORLDS) begins a stream. The cards that are neither seen nor in a hand
 * lie in a deck, ascending, and are dealt to the hidden seats: the first seat gets the first cards, and so on, where before
 * card i is dealt it is swapped with card i + nimmt_stream_below(cards in the deck - i). Then for each move the round goes on
 * from there as nimmt_playout plays it, with a stream of its own that is equal for all moves.
 *
 * Adds the bull heads that seat s takes from the position on after move m, over all worlds, to heads[m * players + s], and
 * the squares of those of `seat` to squares[m]. Neither can pass 2^64 - 1 with at most 2^48 worlds in all.
 *
 * Returns the number of moves, 1..10, or a code, and then has changed nothing:
 *   NIMMT_E_STATE    no world makes the position a round with known hands, or a hidden seat has a card, or hides this seat
 *   NIMMT_E_SEAT     the seat is not at the table
 *   NIMMT_E_PHASE    the round is over
 *   NIMMT_E_OWES     a row is owed, by another seat
 *   NIMMT_E_POLICY   a policy that does not exist
 */
int nimmt_rollouts(const nimmt_round *position, int seat, int hidden, const uint8_t *policies, uint64_t seed, uint64_t first,
                   uint64_t worlds, uint64_t *heads, uint64_t *squares);

#ifdef __cplusplus
}
#endif

#endif
