/* The rules of 6 nimmt! on the bytes of a round; nimmt.h says what each function promises. core/python.py is its twin. */
#include "nimmt.h"

#if defined(__GNUC__) && !defined(__clang__)
/* Keeps gcc from calling memset, memcpy and memmove, which a board may lack, and from packing a stream into a vector. */
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-tree-slp-vectorize")
#if defined(__thumb__) && !defined(__thumb2__) /* gcc 12 pops into registers that -fipa-ra takes for untouched */
#pragma GCC optimize("no-ipa-ra")
#endif
#endif

/* With -Os gcc copies small functions into their callers, and keeps more values through a loop than a Cortex-M0 has
 * registers for. Without that the code is 6 % smaller. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#pragma GCC optimize("no-move-loop-invariants", "no-tree-loop-im", "no-tree-loop-optimize")
#define SHARED __attribute__((noinline))
#else
#define SHARED
#endif

typedef char round_has_its_size[sizeof(nimmt_round) == NIMMT_ROUND_SIZE ? 1 : -1];
enum { TIE = NIMMT_TIE_RIGHT | NIMMT_TIE_LEFT, ALL_ROWS = 15 };

/* Bull heads (R2) of cards 0..55. 110 - card is divisible by 5, 10 and 11 exactly when card is: 56..104 use them too. */
static const uint8_t HEADS[] = {
    0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 3, 5, 1, 1, 1, 2, 1, 1, 1, 1, 3, 1, 5, 1, 1, 2, 1, 1,
    1, 1, 3, 1, 1, 5, 1, 2, 1, 1, 1, 1, 3, 1, 1, 1, 5, 2, 1, 1, 1, 1, 3, 1, 1, 1, 1, 7,
};

int nimmt_bull_heads(int card) {
    return card < 0 || card > NIMMT_CARDS ? 0 : HEADS[card > 55 ? 110 - card : card];
}

/* Where a card goes --------------------------------------------------------------------------------------------------- */

/* How far a card lies beyond the end of a row where it may go (R5, P1), less 1; NIMMT_CARDS or more if it may not. */
static unsigned beyond(const nimmt_round *r, int row, int card) {
    const uint8_t *cards = r->rows[row];
    int steps = card - cards[r->length[row] - 1];
    if (r->flags & NIMMT_PROFESSIONAL && card < cards[0]) {
        steps = cards[0] - card;
    }
    return (unsigned)steps - 1;
}

int nimmt_rows_for(const nimmt_round *r, int card) {
    unsigned best = NIMMT_CARDS;
    int row, mask = 0;
    for (row = 0; row < NIMMT_ROWS; row++) {
        unsigned far = beyond(r, row, card);
        int bit = 1 << row;
        if (far == best) { /* P4: it is the right end of one row and the left end of the other */
            int side = card > r->rows[row][0] ? NIMMT_TIE_RIGHT : NIMMT_TIE_LEFT;
            mask = (r->flags & side) ? bit : (r->flags & TIE) ? mask : mask | bit;
        }
        if (far < best) {
            best = far;
            mask = bit;
        }
    }
    return mask ? mask : ALL_ROWS;
}

/* Bull heads of a row: bytes that are not in use are 0 and add nothing. */
static SHARED int heads_of(const uint8_t *cards) {
    int i, sum = 0;
    for (i = 0; i < NIMMT_LONGEST; i++) {
        sum += nimmt_bull_heads(cards[i]);
    }
    return sum;
}

int nimmt_cheapest(const nimmt_round *r, int card, int mask) {
    int row, best = -1, best_key = 1024; /* above all keys */
    for (row = 0; row < NIMMT_ROWS; row++, mask >>= 1) {
        int n = r->length[row], fits, key = NIMMT_LONGEST; /* 16 times the cost and 0..10 to break ties */
        if (!(mask & 1)) {
            continue;
        }
        fits = beyond(r, row, card) < NIMMT_CARDS;
        if (fits) {
            key += card < r->rows[row][0]; /* A2: the right side first */
        } else if (r->flags & NIMMT_CHEAPEST_FEWEST) {
            key += n;
        } else if (r->flags & NIMMT_CHEAPEST_MOST) {
            key -= n;
        }
        if (!fits || n == NIMMT_LONGEST) {
            key += 16 * heads_of(r->rows[row]);
        }
        if (key < best_key) {
            best = row;
            best_key = key;
        }
    }
    return best;
}

/* Placing ------------------------------------------------------------------------------------------------------------- */

static void clear(uint8_t *bytes, unsigned size) {
    while (size) {
        bytes[--size] = 0;
    }
}

/* Puts the chosen card of a seat into a row: beside its cards, or in their place (R6, R7, P2, P3). */
static void place(nimmt_round *r, int seat, int row, int fits, nimmt_placed *log) {
    uint8_t *cards = r->rows[row], card = r->chosen[seat];
    int i, n = r->length[row];
    log->seat = (uint8_t)seat;
    log->card = card;
    log->row = (uint8_t)row;
    log->side = !fits ? NIMMT_TOOK : card > cards[0] ? NIMMT_RIGHT : NIMMT_LEFT;
    clear(log->taken, NIMMT_LONGEST);
    if (!fits || n == NIMMT_LONGEST) {
        int heads = heads_of(cards);
        r->heads[seat] = (uint8_t)(r->heads[seat] + heads);
        for (i = 0; i < NIMMT_LONGEST; i++) {
            log->taken[i] = cards[i];
            cards[i] = 0;
        }
        n = 0;
    }
    r->length[row] = (uint8_t)(n + 1);
    for (; n > 0 && cards[n - 1] > card; n--) { /* left of a row: its cards move up */
        cards[n] = cards[n - 1];
    }
    cards[n] = card;
    r->chosen[seat] = 0;
}

/* The seat with the lowest card that lies, or -1. */
static SHARED int lowest_lying(const nimmt_round *r) {
    int seat, found = -1;
    unsigned lowest = NIMMT_CARDS;
    for (seat = 0; seat < r->players; seat++) {
        unsigned card = r->chosen[seat] - 1u; /* 0 becomes a number far above all cards */
        if (card < lowest) {
            lowest = card;
            found = seat;
        }
    }
    return found;
}

/* Places the lowest card that lies, until all are placed or a row is owed: then P5 stops here, and nimmt_take comes back
 * with the `row` for the first card. `row` is NIMMT_ROWS if its owner chose nothing. */
static int settle(nimmt_round *r, int row, nimmt_placed *log) {
    nimmt_placed unused;
    int count, seat;
    for (count = 0; (seat = lowest_lying(r)) >= 0; count++) {
        int mask = nimmt_rows_for(r, r->chosen[seat]);
        if (row == NIMMT_ROWS) {
            if (mask & (mask - 1)) {
                r->owes = (uint8_t)seat;
                r->allowed = (uint8_t)mask;
                return count;
            }
            row = (mask >> 1) - (mask >> 3); /* the number of the one bit: 0, 1, 2 or 3 */
        }
        place(r, seat, row, mask != ALL_ROWS, log ? log++ : &unused); /* a card that may take any row fits nowhere */
        row = NIMMT_ROWS;
    }
    r->turn++;
    r->phase = r->turn == NIMMT_TURNS ? NIMMT_OVER : NIMMT_CHOOSE;
    return count;
}

/* Cards in hands and cards seen --------------------------------------------------------------------------------------- */

static int has(const uint8_t *cards, int card) {
    return cards[(card - 1) >> 3] >> ((card - 1) & 7) & 1;
}

/* Returns 1 if the card was there already. */
static int add(uint8_t *cards, int card) {
    uint8_t *byte = cards + ((card - 1) >> 3), before = *byte;
    *byte = (uint8_t)(before | 1 << ((card - 1) & 7));
    return *byte == before;
}

/* The code for a call in another phase, or for a seat that is not at the table; else 0. */
static int refuses(const nimmt_round *r, int phase, int seat) {
    return r->phase != phase ? NIMMT_E_PHASE : seat < 0 || seat >= r->players ? NIMMT_E_SEAT : 0;
}

/* Where a card is first among ten, or 10. */
static SHARED int index_of(const uint8_t *cards, int card) {
    int i;
    for (i = 0; i < NIMMT_TURNS && cards[i] != card; i++) {
    }
    return i;
}

/* The code for a seat that chooses a card, or 0; `chosen` has the choices so far, by seat. NIMMT_E_SAME: the card is there
 * for this seat, and not for a seat before it. */
static int refuses_card(const nimmt_round *r, int seat, int card, const uint8_t *chosen) {
    int other, error = refuses(r, NIMMT_CHOOSE, seat);
    if (error) {
        return error;
    }
    if (card < 1 || card > r->highest) {
        return NIMMT_E_CARD;
    }
    if (r->flags & NIMMT_UNKNOWN_HANDS ? has(r->seen, card) : index_of(r->hands[seat], card) == NIMMT_TURNS) {
        return NIMMT_E_HELD;
    }
    other = index_of(chosen, card);
    return other == seat ? NIMMT_E_SAME : other < NIMMT_SEATS ? NIMMT_E_HELD : 0;
}

/* The chosen card leaves the hand, those above it move down; an unknown hand is all 0 and stays so. */
static void show(nimmt_round *r, int seat) {
    uint8_t *hand = r->hands[seat], card = r->chosen[seat];
    int last = NIMMT_TURNS - 1 - r->turn;
    add(r->seen, card);
    for (; last > 0; last--, hand++) {
        *hand = hand[*hand >= card];
    }
    *hand = 0;
}

/* Moves --------------------------------------------------------------------------------------------------------------- */

int nimmt_choose(nimmt_round *r, int seat, int card) {
    int error = refuses_card(r, seat, card, r->chosen);
    if (!error) {
        r->chosen[seat] = (uint8_t)card;
    }
    return error;
}

int nimmt_withdraw(nimmt_round *r, int seat) {
    int error = refuses(r, NIMMT_CHOOSE, seat);
    if (!error) {
        error = r->chosen[seat] ? 0 : NIMMT_E_NOTHING;
        r->chosen[seat] = 0;
    }
    return error;
}

int nimmt_resolve(nimmt_round *r, nimmt_placed *log) {
    int seat;
    if (r->phase == NIMMT_OVER || r->allowed) {
        return NIMMT_E_PHASE;
    }
    if (r->phase == NIMMT_CHOOSE) {
        if (index_of(r->chosen, 0) < r->players) {
            return NIMMT_E_MISSING;
        }
        for (seat = r->players; seat-- > 0;) {
            show(r, seat);
        }
        r->phase = NIMMT_TAKE;
    }
    return settle(r, NIMMT_ROWS, log);
}

int nimmt_play(nimmt_round *r, const uint8_t *cards, nimmt_placed *log) {
    int seat;
    for (seat = 0; seat < r->players; seat++) {
        int error = refuses_card(r, seat, cards[seat], cards);
        if (error != NIMMT_E_SAME) {
            return error;
        }
    }
    for (seat = r->players; seat-- > 0;) {
        r->chosen[seat] = cards[seat];
    }
    return nimmt_resolve(r, log);
}

int nimmt_take(nimmt_round *r, int seat, int row, nimmt_placed *log) {
    int error = refuses(r, NIMMT_TAKE, seat);
    if (error) {
        return error;
    }
    if (!r->allowed || seat != r->owes) {
        return NIMMT_E_OWES;
    }
    if (row < 0 || row >= NIMMT_ROWS || !(r->allowed >> row & 1)) {
        return NIMMT_E_ROW;
    }
    r->owes = 0;
    r->allowed = 0;
    return settle(r, row, log);
}

/* Opening a round ----------------------------------------------------------------------------------------------------- */

static int valid_rules(int players, int highest, int flags) {
    return players >= 2 && players <= NIMMT_SEATS && highest >= 10 * players + 4 && highest <= NIMMT_CARDS &&
           flags >= 0 && flags < 2 * NIMMT_UNKNOWN_HANDS && !(flags & flags >> 1 & (NIMMT_TIE_RIGHT | NIMMT_CHEAPEST_FEWEST));
}

/* Writes a new round; its cards are known to be right. */
static void lay_out(nimmt_round *r, int players, int highest, int flags, const uint8_t *open, const uint8_t *hands) {
    uint8_t (*hand)[NIMMT_TURNS] = r->hands;
    int i, j;
    clear((uint8_t *)r, sizeof *r);
    r->players = (uint8_t)players;
    r->highest = (uint8_t)highest;
    r->flags = (uint8_t)flags;
    for (i = 0; i < NIMMT_ROWS; i++) {
        r->length[i] = 1;
        r->rows[i][0] = open[i];
        add(r->seen, open[i]);
    }
    if (hands) {
        for (; players > 0; players--, hands += NIMMT_TURNS, hand++) {
            uint8_t lower[NIMMT_TURNS]; /* cards before each: quicker than a sort, whose branches cannot be foreseen */
            for (i = 0; i < NIMMT_TURNS; i++) {
                uint8_t count = 0;
                for (j = 0; j < NIMMT_TURNS; j++) {
                    count = (uint8_t)(count + (hands[j] < hands[i]));
                }
                lower[i] = count;
            }
            for (i = 0; i < NIMMT_TURNS; i++) {
                (*hand)[lower[i]] = hands[i];
            }
        }
    }
}

int nimmt_setup(nimmt_round *r, int players, int highest, int flags, const uint8_t open[4], const uint8_t *hands) {
    uint8_t used[sizeof r->seen];
    int cards;
    flags = hands ? flags & ~NIMMT_UNKNOWN_HANDS : flags | NIMMT_UNKNOWN_HANDS;
    if (!valid_rules(players, highest, flags)) {
        return NIMMT_E_STATE;
    }
    cards = hands ? NIMMT_ROWS + NIMMT_TURNS * players : NIMMT_ROWS;
    clear(used, sizeof used);
    while (cards-- > 0) {
        int card = cards < NIMMT_ROWS ? open[cards] : hands[cards - NIMMT_ROWS];
        if (card < 1 || card > highest || add(used, card)) {
            return NIMMT_E_STATE;
        }
    }
    lay_out(r, players, highest, flags, open, hands);
    return 0;
}

int nimmt_deal(nimmt_round *r, int players, int highest, int flags, nimmt_stream *stream) {
    uint8_t deck[NIMMT_CARDS];
    int i;
    if (flags >= NIMMT_UNKNOWN_HANDS || !valid_rules(players, highest, flags)) {
        return NIMMT_E_STATE;
    }
    for (i = 0; i < NIMMT_CARDS; i++) { /* whatever `highest`: a constant number is quicker */
        deck[i] = (uint8_t)(i + 1);
    }
    for (i = 0; i < 10 * players + NIMMT_ROWS; i++) {
        uint32_t j = (uint32_t)i + nimmt_stream_below(stream, (uint32_t)(highest - i));
        uint8_t card = deck[j];
        deck[j] = deck[i];
        deck[i] = card;
    }
    return nimmt_setup(r, players, highest, flags, deck + 10 * players, deck);
}

/* Checking any bytes -------------------------------------------------------------------------------------------------- */

/* Where a card was found: face up on the table, or where it cannot have been seen: in a hand, or not in this deck. */
enum { TABLE = 1, HIDDEN = 2 };

/* `n` cards that ascend and were not found before, then zeros: of a row (TABLE) or a hand. */
static int check_cards(uint8_t *where, const uint8_t *cards, int n, int mark) {
    int i, before = 0, room = mark == TABLE ? NIMMT_LONGEST : NIMMT_TURNS;
    for (i = 0; i < room; i++) {
        int card = cards[i];
        if (i >= n ? card != 0 : card <= before || card > NIMMT_CARDS || where[card]) {
            return 0;
        }
        where[card] = (uint8_t)mark;
        before = card;
    }
    return 1;
}

/* A seat's hand and its chosen card: one that it may choose; in NIMMT_TAKE one on the table. */
static int check_seat(const nimmt_round *r, uint8_t *where, int seat, int size) {
    int card = r->chosen[seat];
    if (seat >= r->players || r->flags & NIMMT_UNKNOWN_HANDS) {
        size = 0;
    }
    if ((seat >= r->players && (card || r->heads[seat])) || !check_cards(where, r->hands[seat], size, HIDDEN)) {
        return 0;
    }
    if (card == 0) {
        return 1;
    }
    if (r->phase != NIMMT_TAKE) {
        return refuses_card(r, seat, card, r->chosen) == NIMMT_E_SAME;
    }
    if (card > NIMMT_CARDS || where[card]) {
        return 0;
    }
    where[card] = TABLE;
    return 1;
}

/* In NIMMT_TAKE the lowest card that lies has a choice of rows, and its seat owes one; in other phases nobody does. */
static int check_owed(const nimmt_round *r) {
    int mask = r->allowed;
    if (r->phase != NIMMT_TAKE) {
        return r->owes == 0 && mask == 0;
    }
    return r->owes == lowest_lying(r) && mask == nimmt_rows_for(r, r->chosen[r->owes]) && mask & (mask - 1);
}

int nimmt_check(const nimmt_round *r) {
    uint8_t where[NIMMT_CARDS + 1];
    int i, gone = 0, unseen = r->highest, size = NIMMT_TURNS - r->turn - (r->phase == NIMMT_TAKE); /* of the hands */
    if (!valid_rules(r->players, r->highest, r->flags) ||
        (r->turn == NIMMT_TURNS ? r->phase != NIMMT_OVER : r->turn > NIMMT_TURNS || r->phase >= NIMMT_OVER)) {
        return NIMMT_E_STATE;
    }
    for (i = 0; i <= NIMMT_CARDS; i++) {
        where[i] = i > r->highest ? HIDDEN : 0;
    }
    for (i = 0; i < NIMMT_ROWS; i++) {
        if (r->length[i] < 1 || r->length[i] > NIMMT_LONGEST || !check_cards(where, r->rows[i], r->length[i], TABLE)) {
            return NIMMT_E_STATE;
        }
    }
    for (i = 0; i < NIMMT_SEATS; i++) {
        if (!check_seat(r, where, i, size)) {
            return NIMMT_E_STATE;
        }
        gone -= r->heads[i];
    }
    for (i = 1; i <= NIMMT_CARDS; i++) {
        int seen = has(r->seen, i);
        if (where[i] == TABLE + seen) { /* on the table and not seen, or hidden and seen */
            return NIMMT_E_STATE;
        }
        unseen -= seen;
        if (seen > where[i]) { /* and found nowhere: taken */
            gone += nimmt_bull_heads(i);
        }
    }
    return gone == 0 && unseen >= r->players * size && check_owed(r) ? 0 : NIMMT_E_STATE;
}

/* Built-in policies --------------------------------------------------------------------------------------------------- */

/* The card nearest to the end of a row with room for it, else the lowest. */
static int nearest(const nimmt_round *r, const uint8_t *hand, int size) {
    int best = hand[0];
    unsigned least = NIMMT_CARDS;
    while (size-- > 0) {
        int card = hand[size], mask = nimmt_rows_for(r, card);
        if (mask != ALL_ROWS) {
            int row = nimmt_cheapest(r, card, mask);
            unsigned far = beyond(r, row, card);
            if (far <= least && r->length[row] < NIMMT_LONGEST) {
                best = card;
                least = far;
            }
        }
    }
    return best;
}

int nimmt_policy_card(const nimmt_round *r, int seat, int policy, nimmt_stream *stream) {
    int error = refuses(r, NIMMT_CHOOSE, seat), size = NIMMT_TURNS - r->turn;
    const uint8_t *hand;
    if (error) {
        return error;
    }
    if (policy < 0 || policy >= NIMMT_POLICIES || r->flags & NIMMT_UNKNOWN_HANDS) {
        return NIMMT_E_POLICY;
    }
    hand = r->hands[seat];
    switch (policy) {
    case NIMMT_LOWEST:
        return hand[0];
    case NIMMT_HIGHEST:
        return hand[size - 1];
    case NIMMT_NEAREST:
        return nearest(r, hand, size);
    default:
        return hand[nimmt_stream_below(stream, (uint32_t)size)];
    }
}

int nimmt_policy_row(const nimmt_round *r, int policy, nimmt_stream *stream) {
    int mask = r->allowed, skip;
    if (!mask) { /* it is 0 in all other phases */
        return NIMMT_E_PHASE;
    }
    if (policy < 0 || policy >= NIMMT_POLICIES) {
        return NIMMT_E_POLICY;
    }
    if (policy == NIMMT_RANDOM_ROWS) {
        for (skip = (int)nimmt_stream_below(stream, mask == ALL_ROWS ? 4 : 2); skip > 0; skip--) {
            mask &= mask - 1;
        }
        mask ^= mask & (mask - 1); /* leaves the lowest bit: the cheapest of one row */
    }
    return nimmt_cheapest(r, r->chosen[r->owes], mask);
}

int nimmt_playout(nimmt_round *r, const uint8_t *policies, nimmt_stream *stream) {
    int seat;
    for (seat = 0; seat < r->players; seat++) {
        if (policies[seat] >= NIMMT_POLICIES || r->flags & NIMMT_UNKNOWN_HANDS) {
            return NIMMT_E_POLICY;
        }
    }
    while (r->phase != NIMMT_OVER) {
        if (r->phase == NIMMT_TAKE) {
            nimmt_take(r, r->owes, nimmt_policy_row(r, policies[r->owes], stream), 0);
            continue;
        }
        for (seat = 0; seat < r->players; seat++) {
            if (!r->chosen[seat]) {
                r->chosen[seat] = (uint8_t)nimmt_policy_card(r, seat, policies[seat], stream);
            }
        }
        nimmt_resolve(r, 0);
    }
    return 0;
}

/* Random streams ------------------------------------------------------------------------------------------------------ */

static uint32_t rotl(uint32_t x, unsigned n) {
    return (x << n) | (x >> (32 - n));
}

void nimmt_threefry(uint32_t out[4], const uint32_t counter[4], const uint32_t key[4]) {
    static const uint8_t ROTATE[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
    uint32_t k[9], *x = out, t; /* k: the four words, their parity, the four words again */
    unsigned i, d;
    k[4] = 0x1BD11BDAu;
    for (i = 0; i < 4; i++) {
        k[i] = k[i + 5] = key[i];
        k[4] ^= key[i];
        x[i] = counter[i] + key[i];
    }
    for (d = 0; d < 20; d++) {
        x[0] += x[1];
        x[1] = rotl(x[1], ROTATE[d & 7][0]) ^ x[0];
        x[2] += x[3];
        x[3] = rotl(x[3], ROTATE[d & 7][1]) ^ x[2];
        t = x[1]; /* the next round mixes words 0, 3 and 2, 1 */
        x[1] = x[3];
        x[3] = t;
        if ((d & 3) == 3) {
            unsigned j = (d >> 2) + 1; /* 1..5 */
            for (i = 0; i < 4; i++) {
                x[i] += k[i + j];
            }
            x[3] += j;
        }
    }
}

void nimmt_stream_seed(nimmt_stream *stream, uint64_t seed, uint64_t game, uint32_t round, uint32_t use) {
    uint32_t key[4] = {(uint32_t)seed, (uint32_t)(seed >> 32), 0, 0};
    uint32_t *s = stream->s;
    s[0] = (uint32_t)game;
    s[1] = (uint32_t)(game >> 32);
    s[2] = round;
    s[3] = use;
    nimmt_threefry(s, s, key);
    if (!(s[0] | s[1] | s[2] | s[3])) {
        s[0] = 1;
    }
}

uint32_t nimmt_stream_next(nimmt_stream *stream) {
    uint32_t *s = stream->s;
    uint32_t result = rotl(s[0] + s[3], 7) + s[0];
    uint32_t t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11);
    return result;
}

/* 2^32 mod n by doubling, since a division is a library call on small targets. It is rarely needed. */
static uint32_t threshold(uint32_t n) {
    uint32_t r = n > 1;
    int i;
    for (i = 0; i < 32; i++) {
        r += r;
        if (r >= n) {
            r -= n;
        }
    }
    return r;
}

uint32_t nimmt_stream_below(nimmt_stream *stream, uint32_t n) {
#if UINTPTR_MAX > 0xFFFFFFFFu
    uint64_t product; /* a library call on small targets, so not there */
    do {
        product = (uint64_t)nimmt_stream_next(stream) * n;
    } while ((uint32_t)product < n && (uint32_t)product < threshold(n));
    return (uint32_t)(product >> 32);
#else
    uint32_t low, high; /* high * 2^16 + low = draw * n, whose lower 32 bits are below n only if 16 of high are 0 */
    do {
        uint32_t draw = nimmt_stream_next(stream);
        low = (draw & 0xFFFFu) * n;
        high = (draw >> 16) * n + (low >> 16);
    } while (!(high & 0xFFFFu) && (low & 0xFFFFu) < threshold(n));
    return high >> 16;
#endif
}
