/*
 * The loops of nimmt_simulate.c, which includes this file once for every set of instructions it is compiled for; F(name) makes
 * the names differ. Not a header of its own.
 *
 * All loops run over lanes, the innermost has a constant count and no branches: compilers turn each into a few vector
 * instructions. What makes them do so: values as narrow as the lanes (cards, distances and masks are bytes, hence the
 * casts U), `restrict`, and both sides of a choice computed and one selected. The arithmetic is modulo 256 on purpose:
 * a card minus the end of a row is 1..103 if it is above, else at least 153; the smallest of four decides where to go.
 *
 * load[row] is length and bull heads of a row in one byte: 32 * (length - 1) + heads. No five cards have more than 27
 * heads, and a row of five has bit 7 set, so "full" is the sign.
 */
#include "nimmt_lanes_deal.h"

/* Choosing ------------------------------------------------------------------------------------------------------------ */

/* Card number `index` leaves the hand; the ones above move down. The card is the sum of the hand before less that after. */
#define MOVE(k) (card = F(either)(out > (k), hand[k][i], hand[(k) + 1][i]), hand[k][i] = card, sum = U(sum - card))
static NOINLINE void F(pick10)(bytes *restrict hand, uint8_t *restrict sums, const uint8_t *restrict index,
                               uint8_t *restrict chosen) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t before = sums[i], sum = before, card;
        int8_t out = (int8_t)index[i];
        MOVE(0), MOVE(1), MOVE(2), MOVE(3), MOVE(4), MOVE(5), MOVE(6), MOVE(7), MOVE(8), MOVE(9);
        chosen[i] = sum;
        sums[i] = U(before - sum);
    }
}

/* The same for hands of up to five. */
static NOINLINE void F(pick5)(bytes *restrict hand, uint8_t *restrict sums, const uint8_t *restrict index,
                              uint8_t *restrict chosen) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t before = sums[i], sum = before, card;
        int8_t out = (int8_t)index[i];
        MOVE(0), MOVE(1), MOVE(2), MOVE(3), MOVE(4);
        chosen[i] = sum;
        sums[i] = U(before - sum);
    }
}

/* The value in b of the row whose a equals m; exactly one of the four must be it, or the result does not matter. */
#define OF(a, m, b) F(either)(a##0 == (m), b##0, F(either)(a##1 == (m), b##1, F(either)(a##2 == (m), b##2, b##3)))
#define MIN4(a) MIN(MIN(a##0, a##1), MIN(a##2, a##3))
#define NEGATIVE(x) ((int8_t)(x) < 0)
#define MASK(x) U((x) ? 255 : 0)

/* NIMMT_NEAREST: one card of the hand against the best so far. */
static NOINLINE void F(near)(const bytes *restrict last, const bytes *restrict load, const uint8_t *restrict cards,
                             uint8_t number, uint8_t *restrict best, uint8_t *restrict index) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t card = cards[i], d0 = U(card - last[0][i]), d1 = U(card - last[1][i]), d2 = U(card - last[2][i]);
        uint8_t d3 = U(card - last[3][i]), w0 = load[0][i], w1 = load[1][i], w2 = load[2][i], w3 = load[3][i];
        uint8_t m = MIN4(d), w = OF(d, m, w), b = best[i], old = index[i], away = F(either)(NEGATIVE(m | w), 127, m);
        index[i] = F(either)((int8_t)away < (int8_t)b, number, old);
        best[i] = MIN(away, b);
    }
}

/* The same with professional rules (P1, P4). One of `right` and `left` is 255 if ties go there, both are 0 for A2. */
static NOINLINE void F(near_pro)(const bytes *restrict first, const bytes *restrict last, const bytes *restrict load,
                                 const uint8_t *restrict cards, uint8_t number, uint8_t right, uint8_t left,
                                 uint8_t *restrict best, uint8_t *restrict index) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t card = cards[i], r0 = U(card - last[0][i]), r1 = U(card - last[1][i]), r2 = U(card - last[2][i]);
        uint8_t r3 = U(card - last[3][i]), l0 = U(first[0][i] - card), l1 = U(first[1][i] - card);
        uint8_t l2 = U(first[2][i] - card), l3 = U(first[3][i] - card);
        uint8_t w0 = load[0][i], w1 = load[1][i], w2 = load[2][i], w3 = load[3][i];
        uint8_t mr = MIN4(r), ml = MIN4(l), m = MIN(mr, ml), wr = OF(r, mr, w), wl = OF(l, ml, w);
        /* with a tie left to A2, one row with room is enough */
        uint8_t both = U((wr & wl & U(~right) & U(~left)) | (wr & right) | (wl & left));
        uint8_t w = F(either)(mr == ml, both, F(either)(mr == m, wr, wl)), b = best[i], old = index[i];
        uint8_t away = F(either)(NEGATIVE(m | w), 127, m);
        index[i] = F(either)((int8_t)away < (int8_t)b, number, old);
        best[i] = MIN(away, b);
    }
}

/* Where in the hand is the card that NIMMT_NEAREST chooses? */
static void F(nearest)(lanes *w, const bytes *hand, int size) {
    int i;
    memset(w->best, NIMMT_CARDS, sizeof w->best);
    memset(w->index, 0, sizeof w->index);
    for (i = 0; i < size; i++) {
        if (w->flags & NIMMT_PROFESSIONAL) {
            F(near_pro)((const bytes *)w->first, (const bytes *)w->last, (const bytes *)w->load, hand[i], U(i), w->right,
                        w->left, w->best, w->index);
        } else {
            F(near)((const bytes *)w->last, (const bytes *)w->load, hand[i], U(i), w->best, w->index);
        }
    }
}

/* The cards of all seats for a turn, in w->chosen. */
static void F(choose)(lanes *w, int turn) {
    const bytes *drawn = (const bytes *)w->drawn + FRONT + w->dealt + turn * w->drawing;
    int seat, size = NIMMT_TURNS - turn;
    if (w->redraws) {
        F(draw)(w, w->dealt + turn * w->drawing, w->dealt + (turn + 1) * w->drawing);
    }
    for (seat = 0; seat < w->players; seat++) {
        bytes *hand = w->hand[seat];
        const uint8_t *index = w->index;
        switch (w->policies[seat]) {
        case NIMMT_LOWEST:
            memcpy(w->chosen[seat], hand[turn], LANES);
            continue;
        case NIMMT_HIGHEST:
            memcpy(w->chosen[seat], hand[size - 1], LANES);
            continue;
        case NIMMT_NEAREST:
            F(nearest)(w, (const bytes *)hand, size);
            break;
        default:
            index = *drawn++;
        }
        if (size == 1) {
            memcpy(w->chosen[seat], hand[0], LANES);
        } else if (size > 5) {
            F(pick10)(hand, w->sum[seat], index, w->chosen[seat]);
        } else {
            F(pick5)(hand, w->sum[seat], index, w->chosen[seat]);
        }
    }
}

/* Placing ------------------------------------------------------------------------------------------------------------- */

/* x modulo m, for x below 2 * m. */
static INLINE uint8_t F(reduce)(uint8_t x, uint8_t m) {
    return U(x - ((int8_t)x >= (int8_t)m ? m : 0));
}

/* Bull heads (R2) of some rows of cards. u is the last digit; cards 11, 22, .. are 11 * u. */
static NOINLINE void F(heads)(bytes *restrict heads, const bytes *restrict cards, int count) {
    int row, i;
    for (row = 0; row < count; row++) {
        for (i = 0; i < LANES; i++) {
            uint8_t card = cards[row][i], h;
            uint8_t u = F(reduce)(F(reduce)(F(reduce)(F(reduce)(card, 80), 40), 20), 10);
            h = U(1 + (u == 0 ? 2 : 0));
            h = U(h + (u == 5 ? 1 : 0));
            h = U(h + (U(11 * u) == card ? 4 : 0));
            heads[row][i] = U(h + (card == 55 ? 1 : 0));
        }
    }
}

/* The cards of a turn but the lowest, in the base game: each is above the end of some row (R5, R6). */
#define PUT(row) \
    (last[row][i] = F(either)(d##row == m, card, last[row][i]), load[row][i] = F(either)(d##row == m, after, w##row))
static NOINLINE void F(place)(bytes *restrict last, bytes *restrict load, const bytes *restrict cards,
                              const bytes *restrict heads, bytes *restrict cost, int count) {
    int k, i;
    for (k = 1; k < count; k++) {
        for (i = 0; i < LANES; i++) {
            uint8_t card = cards[k][i], d0 = U(card - last[0][i]), d1 = U(card - last[1][i]), d2 = U(card - last[2][i]);
            uint8_t d3 = U(card - last[3][i]), w0 = load[0][i], w1 = load[1][i], w2 = load[2][i], w3 = load[3][i];
            uint8_t m = MIN4(d), w = OF(d, m, w), own = heads[k][i];
            uint8_t after = F(either)(NEGATIVE(w), own, U(w + own + 32));
            cost[k][i] = F(either)(NEGATIVE(w), w & 31, 0);
            PUT(0), PUT(1), PUT(2), PUT(3);
        }
    }
}

/*
 * Order of the rows for A1, smallest first, for those with the fewest heads; 255 for the others. `by` and `flip` make the
 * length count: 0 and 0 not at all, 224 and 0 fewest first, 224 and 224 most first. A row in `forced` precedes all.
 */
#define RANK(row) F(either)(force == (row), 0, F(either)(h##row == least, U(((w##row & by) ^ flip) + (row) + 1), 255))

/* Any card of the base game: a low one (R7) takes the row in `forced`, or if that is 255 the cheapest (A1). */
static NOINLINE void F(place_low)(bytes *restrict last, bytes *restrict load, const uint8_t *restrict cards,
                                  const uint8_t *restrict heads, uint8_t *restrict cost, const uint8_t *restrict forced,
                                  uint8_t by, uint8_t flip) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t card = cards[i], d0 = U(card - last[0][i]), d1 = U(card - last[1][i]), d2 = U(card - last[2][i]);
        uint8_t d3 = U(card - last[3][i]), w0 = load[0][i], w1 = load[1][i], w2 = load[2][i], w3 = load[3][i];
        uint8_t h0 = w0 & 31, h1 = w1 & 31, h2 = w2 & 31, h3 = w3 & 31, least = MIN4(h), force = forced[i];
        uint8_t low = MIN4(d), own = heads[i], m, w, takes, after;
        d0 = F(either)(NEGATIVE(low), RANK(0), d0);
        d1 = F(either)(NEGATIVE(low), RANK(1), d1);
        d2 = F(either)(NEGATIVE(low), RANK(2), d2);
        d3 = F(either)(NEGATIVE(low), RANK(3), d3);
        m = MIN4(d);
        w = OF(d, m, w);
        takes = U(low | w);
        after = F(either)(NEGATIVE(takes), own, U(w + own + 32));
        cost[i] = F(either)(NEGATIVE(takes), w & 31, 0);
        PUT(0), PUT(1), PUT(2), PUT(3);
    }
}

/*
 * Any card of the professional game. r and l are the distances on the right and on the left, k what decides: 255 for the
 * row that is used. In a tie `forced` is 0 for the lower of the two rows, 1 for the higher.
 */
#define PUT_PRO(row) \
    (load[row][i] = F(either)(k##row, after, w##row), first[row][i] = F(either)(k##row & on_left, card, first[row][i]), \
     last[row][i] = F(either)(k##row & on_right, card, last[row][i]))
#define USED(row) F(either)(NEGATIVE(m), MASK(c##row == cheapest), F(either)(left, MASK(l##row == m), MASK(r##row == m)))
static NOINLINE void F(place_pro)(bytes *restrict first, bytes *restrict last, bytes *restrict load,
                                  const uint8_t *restrict cards, const uint8_t *restrict heads, uint8_t *restrict cost,
                                  const uint8_t *restrict forced, uint8_t by, uint8_t flip, uint8_t tie_right,
                                  uint8_t tie_left) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t card = cards[i], r0 = U(card - last[0][i]), r1 = U(card - last[1][i]), r2 = U(card - last[2][i]);
        uint8_t r3 = U(card - last[3][i]), l0 = U(first[0][i] - card), l1 = U(first[1][i] - card);
        uint8_t l2 = U(first[2][i] - card), l3 = U(first[3][i] - card);
        uint8_t w0 = load[0][i], w1 = load[1][i], w2 = load[2][i], w3 = load[3][i], force = forced[i];
        uint8_t h0 = w0 & 31, h1 = w1 & 31, h2 = w2 & 31, h3 = w3 & 31, least = MIN4(h);
        uint8_t c0 = RANK(0), c1 = RANK(1), c2 = RANK(2), c3 = RANK(3), cheapest = MIN4(c), wc = OF(c, cheapest, w);
        uint8_t mr = MIN4(r), ml = MIN4(l), m = MIN(mr, ml), wr = OF(r, mr, w), wl = OF(l, ml, w);
        uint8_t cr = F(either)(NEGATIVE(wr), wr & 31, 0), cl = F(either)(NEGATIVE(wl), wl & 31, 0);
        uint8_t number0 = 0, number1 = 1, number2 = 2, number3 = 3, ir = OF(r, mr, number), il = OF(l, ml, number);
        uint8_t lower = F(either)((int8_t)il < (int8_t)ir, 0, 1), cheaper = MASK((int8_t)cl < (int8_t)cr);
        uint8_t tie = U((F(either)(NEGATIVE(force), cheaper, MASK(force == lower)) & U(~tie_right)) | tie_left);
        uint8_t left = F(either)(mr == ml, tie, MASK(mr != m));
        uint8_t w = F(either)(NEGATIVE(m), wc, F(either)(left, wl, wr)), takes = MASK(NEGATIVE(m | w));
        uint8_t own = heads[i], after = F(either)(takes, own, U(w + own + 32));
        uint8_t k0 = USED(0), k1 = USED(1), k2 = USED(2), k3 = USED(3);
        uint8_t on_left = takes | left, on_right = takes | U(~left);
        cost[i] = takes & w & 31;
        PUT_PRO(0), PUT_PRO(1), PUT_PRO(2), PUT_PRO(3);
    }
}

/* Which lanes owe a draw for a row: 255 in `need`. In the base game a card below all ends ... */
static NOINLINE void F(owed)(const bytes *restrict last, const uint8_t *restrict cards, const uint8_t *restrict owner,
                             uint8_t *restrict need) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t card = cards[i], d0 = U(card - last[0][i]), d1 = U(card - last[1][i]), d2 = U(card - last[2][i]);
        uint8_t d3 = U(card - last[3][i]), mine = owner[i], low = MIN4(d);
        need[i] = F(either)(NEGATIVE(low), mine, 0);
    }
}

/* ... in the professional game one that fits nowhere, or a tie that is not decided by a flag: then also 255 in `two`. */
static NOINLINE void F(owed_pro)(const bytes *restrict first, const bytes *restrict last, const uint8_t *restrict cards,
                                 const uint8_t *restrict owner, uint8_t ties, uint8_t *restrict need,
                                 uint8_t *restrict two) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t card = cards[i], r0 = U(card - last[0][i]), r1 = U(card - last[1][i]), r2 = U(card - last[2][i]);
        uint8_t r3 = U(card - last[3][i]), l0 = U(first[0][i] - card), l1 = U(first[1][i] - card);
        uint8_t l2 = U(first[2][i] - card), l3 = U(first[3][i] - card), mr = MIN4(r), ml = MIN4(l);
        uint8_t m = MIN(mr, ml), nowhere = MASK(NEGATIVE(m)), tie = MASK(mr == ml), mine = owner[i];
        need[i] = mine & (nowhere | (tie & ties));
        two[i] = mine & tie & ties & U(~nowhere);
    }
}

/* owner |= 255 where the card is the one the seat chose. */
static NOINLINE void F(owns)(uint8_t *restrict owner, const uint8_t *restrict cards, const uint8_t *restrict chosen) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t same = MASK(cards[i] == chosen[i]);
        owner[i] = owner[i] | same;
    }
}

/* Of a draw's two highest bits the highest, where two rows are allowed. */
static NOINLINE void F(halve)(uint8_t *restrict forced, const uint8_t *restrict two) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t force = forced[i];
        forced[i] = F(either)(two[i], U((int8_t)force >= 2 ? 1 : 0), force);
    }
}

/* Draws rows for NIMMT_RANDOM_ROWS into w->forced, 255 where no row is owed. */
static void F(force)(lanes *w, const uint8_t *cards) {
    int seat;
    memset(w->owner, 0, sizeof w->owner);
    for (seat = 0; seat < w->players; seat++) {
        if (w->policies[seat] == NIMMT_RANDOM_ROWS) {
            F(owns)((uint8_t *)w->owner, cards, w->chosen[seat]);
        }
    }
    if (w->flags & NIMMT_PROFESSIONAL) {
        F(owed_pro)((const bytes *)w->first, (const bytes *)w->last, cards, (uint8_t *)w->owner, U(~(w->right | w->left)),
                    (uint8_t *)w->need, w->two);
        F(draw_if)(w->state, w->need, w->forced);
        F(halve)((uint8_t *)w->forced, w->two);
    } else {
        F(owed)((const bytes *)w->last, cards, (uint8_t *)w->owner, (uint8_t *)w->need);
        F(draw_if)(w->state, w->need, w->forced);
    }
}

/* What the cards of a turn cost goes to the seats that chose them. Two cards at a time; after an odd last one comes 255. */
static NOINLINE void F(charge)(bytes *restrict heads, const bytes *restrict chosen, const bytes *restrict cards,
                               const bytes *restrict cost, int count) {
    int seat, k, i;
    for (seat = 0; seat < count; seat++) {
        for (k = 0; k < count; k += 2) {
            for (i = 0; i < LANES; i++) {
                uint8_t mine = chosen[seat][i], sum = heads[seat][i];
                sum = U(sum + F(either)(cards[k][i] == mine, cost[k][i], 0));
                heads[seat][i] = U(sum + F(either)(cards[k + 1][i] == mine, cost[k + 1][i], 0));
            }
        }
    }
}

/* The turn: sorts the chosen cards, places them, adds to w->heads. */
static void F(resolve)(lanes *w) {
    int i, n = w->players, professional = w->flags & NIMMT_PROFESSIONAL;
    if (n <= 5) { /* rows of seats that are not there are 255 */
        F(sort5)(w->sorted, (const bytes *)w->chosen);
    } else {
        F(sort10)(w->sorted, w->best, (const bytes *)w->chosen); /* the sum is not used */
    }
    F(heads)(w->own, (const bytes *)w->sorted, n);
    for (i = 0; i < (professional ? n : 1); i++) {
        if (w->redraws) {
            F(force)(w, w->sorted[i]);
        }
        if (professional) {
            F(place_pro)(w->first, w->last, w->load, w->sorted[i], w->own[i], w->cost[i], (uint8_t *)w->forced, w->by,
                         w->flip, w->right, w->left);
        } else {
            F(place_low)(w->last, w->load, w->sorted[i], w->own[i], w->cost[i], (uint8_t *)w->forced, w->by, w->flip);
            F(place)(w->last, w->load, (const bytes *)w->sorted, (const bytes *)w->own, w->cost, n);
        }
    }
    F(charge)(w->heads, (const bytes *)w->chosen, (const bytes *)w->sorted, (const bytes *)w->cost, n);
}

/* Rounds and scores --------------------------------------------------------------------------------------------------- */

static NOINLINE uint32_t F(least)(const uint32_t *alarm) {
    uint32_t least = alarm[0];
    int i;
    for (i = 0; i < LANES; i++) {
        least = MIN(least, alarm[i]);
    }
    return least;
}

/* Deals and plays the next round of every lane. Returns 1 if some lane has to play it again, with w->alarm up to ALARM. */
static int F(play)(lanes *w) {
    const bytes *deck = (const bytes *)w->drawn + FRONT;
    int seat, turn;
    F(seed)(w->state, w->counter, w->alarm, w->key[0], w->key[1]);
    F(draw)(w, 0, w->redraws ? w->dealt : w->draws);
    F(shuffle)(w);
    for (seat = 0; seat < w->players; seat++) {
        F(sort10)(w->hand[seat], w->sum[seat], deck + 10 * seat);
    }
    memset(w->heads, 0, (size_t)w->players * LANES);
    memcpy(w->first, deck + 10 * w->players, sizeof w->first);
    memcpy(w->last, w->first, sizeof w->last);
    F(heads)(w->load, (const bytes *)w->first, NIMMT_ROWS);
    for (turn = 0; turn < NIMMT_TURNS; turn++) {
        F(choose)(w, turn);
        F(resolve)(w);
    }
    return F(least)(w->alarm) <= ALARM;
}

/* Adds the heads of the round to the scores; top is the highest score of each lane. */
static NOINLINE void F(score)(uint16_t (*restrict scores)[LANES], uint16_t *restrict top, const bytes *restrict heads,
                              int count) {
    int seat, i;
    memset(top, 0, sizeof scores[0]);
    for (seat = 0; seat < count; seat++) {
        for (i = 0; i < LANES; i++) {
            uint16_t s = (uint16_t)(scores[seat][i] + heads[seat][i]), t = top[i];
            scores[seat][i] = s;
            top[i] = MAX(s, t);
        }
    }
}

#undef MOVE
#undef OF
#undef MIN4
#undef NEGATIVE
#undef MASK
#undef PUT
#undef RANK
#undef PUT_PRO
#undef USED
