/* The rules of 6 nimmt! on the bytes of a round; nimmt.h says what each function promises. src/nimmt/_pycore.py is its twin. */
#include "nimmt.h"

/* Keeps gcc from turning loops into calls of memset, memcpy and memmove: a microcontroller may have none. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

enum { TIE = NIMMT_TIE_RIGHT | NIMMT_TIE_LEFT, CHEAPEST = NIMMT_CHEAPEST_FEWEST | NIMMT_CHEAPEST_MOST, ALL_ROWS = 15 };

/* R2 as a table: division is a library call on small targets. */
static const uint8_t HEADS[NIMMT_CARDS + 1] = {
    0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 3, 5, 1, 1, 1, 2, 1, 1, 1, 1, 3, 1, 5, 1, 1, 2, 1, 1, 1, 1, 3, 1, 1, 5, 1,
    2, 1, 1, 1, 1, 3, 1, 1, 1, 5, 2, 1, 1, 1, 1, 3, 1, 1, 1, 1, 7, 1, 1, 1, 1, 3, 1, 1, 1, 1, 2, 5, 1, 1, 1,
    3, 1, 1, 1, 1, 2, 1, 5, 1, 1, 3, 1, 1, 1, 1, 2, 1, 1, 5, 1, 3, 1, 1, 1, 1, 2, 1, 1, 1, 5, 3, 1, 1, 1, 1,
};

int nimmt_bull_heads(int card) {
    return card >= 1 && card <= NIMMT_CARDS ? HEADS[card] : 0;
}

/* Random streams ------------------------------------------------------------------------------------------------------ */

static uint32_t rotl(uint32_t x, unsigned n) {
    return (x << n) | (x >> (32 - n));
}

void nimmt_threefry(uint32_t out[4], const uint32_t counter[4], const uint32_t key[4]) {
    static const uint8_t ROTATE[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
    uint32_t k[5], x[4];
    unsigned i, d;
    k[4] = 0x1BD11BDAu;
    for (i = 0; i < 4; i++) {
        k[i] = key[i];
        k[4] ^= key[i];
        x[i] = counter[i] + key[i];
    }
    for (d = 0; d < 20; d++) {
        unsigned odd = (d & 1) << 1; /* odd rounds mix words 0, 3 and 2, 1 */
        x[0] += x[1 + odd];
        x[1 + odd] = rotl(x[1 + odd], ROTATE[d & 7][0]) ^ x[0];
        x[2] += x[3 - odd];
        x[3 - odd] = rotl(x[3 - odd], ROTATE[d & 7][1]) ^ x[2];
        if ((d & 3) == 3) {
            unsigned j = (d >> 2) + 1; /* 1..5: word i gets key word (i + j) mod 5 */
            for (i = 0; i < 4; i++) {
                x[i] += k[i + j < 5 ? i + j : i + j - 5];
            }
            x[3] += j;
        }
    }
    for (i = 0; i < 4; i++) {
        out[i] = x[i];
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

/* 2^32 mod n by doubling: rare, and without a division. */
static uint32_t threshold(uint32_t n) {
    uint32_t r = n > 1;
    int i;
    for (i = 0; i < 32; i++) {
        r = r >= n - r ? r + r - n : r + r;
    }
    return r;
}

uint32_t nimmt_stream_below(nimmt_stream *stream, uint32_t n) {
    for (;;) {
        /* The 48-bit product draw * n as high * 2^16 + low, since a 64-bit product is a library call on small targets. */
        uint32_t draw = nimmt_stream_next(stream);
        uint32_t low = (draw & 0xFFFFu) * n, high = (draw >> 16) * n + (low >> 16);
        uint32_t rest = (high << 16) | (low & 0xFFFFu);
        if (rest >= n || rest >= threshold(n)) {
            return high >> 16;
        }
    }
}

/* Where a card goes --------------------------------------------------------------------------------------------------- */

static int last_of(const nimmt_round *r, int row) {
    return r->rows[row][r->length[row] - 1];
}

/* How far a card lies from the end of a row where it may go (R5, P1), 0 if it may not. */
static int distance(const nimmt_round *r, int row, int card) {
    int last = last_of(r, row), first = r->rows[row][0];
    if (card > last) {
        return card - last;
    }
    return (r->flags & NIMMT_PROFESSIONAL) && card < first ? first - card : 0;
}

int nimmt_rows_for(const nimmt_round *r, int card) {
    int row, mask = 0, best = NIMMT_CARDS;
    for (row = 0; row < NIMMT_ROWS; row++) {
        int d = distance(r, row, card), side = card > last_of(r, row) ? NIMMT_TIE_RIGHT : NIMMT_TIE_LEFT;
        if (d == 0 || d > best) {
            continue;
        }
        if (d < best || (r->flags & TIE) == side) {
            mask = 1 << row;
        } else if (!(r->flags & TIE)) {
            mask |= 1 << row;
        }
        best = d;
    }
    return mask ? mask : ALL_ROWS;
}

static int heads_of(const nimmt_round *r, int row) {
    int i, heads = 0;
    for (i = 0; i < r->length[row]; i++) {
        heads += HEADS[r->rows[row][i]];
    }
    return heads;
}

int nimmt_cheapest(const nimmt_round *r, int card, int mask) {
    int row, best = -1, best_cost = 0, best_rank = 0;
    for (row = 0; row < NIMMT_ROWS; row++) {
        int fits = distance(r, row, card), cost, rank = 0;
        if (!(mask >> row & 1)) {
            continue;
        }
        cost = fits && r->length[row] < NIMMT_LONGEST ? 0 : heads_of(r, row);
        if (fits) {
            rank = card > last_of(r, row) ? 0 : 1;
        } else if (r->flags & CHEAPEST) {
            rank = r->flags & NIMMT_CHEAPEST_FEWEST ? r->length[row] : -r->length[row];
        }
        if (best < 0 || cost < best_cost || (cost == best_cost && rank < best_rank)) {
            best = row;
            best_cost = cost;
            best_rank = rank;
        }
    }
    return best;
}

/* Placing ------------------------------------------------------------------------------------------------------------- */

/* Puts the chosen card of a seat to a row it may go to: beside its cards, or in place of them (R6, R7, P2, P3). */
static void place(nimmt_round *r, int seat, int row, nimmt_placed *log) {
    uint8_t *cards = r->rows[row], card = r->chosen[seat];
    int i, n = r->length[row], fits = distance(r, row, card);
    int side = !fits ? NIMMT_TOOK : card > cards[n - 1] ? NIMMT_RIGHT : NIMMT_LEFT;
    int takes = !fits || n == NIMMT_LONGEST;
    if (log) {
        log->seat = (uint8_t)seat;
        log->card = card;
        log->row = (uint8_t)row;
        log->side = (uint8_t)side;
        for (i = 0; i < NIMMT_LONGEST; i++) {
            log->taken[i] = takes ? cards[i] : 0;
        }
    }
    if (takes) {
        r->heads[seat] = (uint8_t)(r->heads[seat] + heads_of(r, row));
        for (i = 0; i < NIMMT_LONGEST; i++) {
            cards[i] = 0;
        }
        n = 0;
    }
    i = n;
    if (side == NIMMT_LEFT) {
        for (; i > 0; i--) {
            cards[i] = cards[i - 1];
        }
    }
    cards[i] = card;
    r->length[row] = (uint8_t)(n + 1);
    r->chosen[seat] = 0;
}

static int lowest_lying(const nimmt_round *r) {
    int seat, found = -1;
    for (seat = 0; seat < r->players; seat++) {
        if (r->chosen[seat] && (found < 0 || r->chosen[seat] < r->chosen[found])) {
            found = seat;
        }
    }
    return found;
}

/* Places the lowest card that lies, until none does or a row is owed: then P5 stops here and nimmt_take comes back. */
static int settle(nimmt_round *r, nimmt_placed *log) {
    int count, seat;
    for (count = 0; (seat = lowest_lying(r)) >= 0; count++) {
        int row = 0, mask = nimmt_rows_for(r, r->chosen[seat]);
        if (mask & (mask - 1)) {
            r->owes = (uint8_t)seat;
            r->allowed = (uint8_t)mask;
            return count;
        }
        while (!(mask >> row & 1)) {
            row++;
        }
        place(r, seat, row, log ? log + count : 0);
    }
    r->turn++;
    r->phase = r->turn == NIMMT_TURNS ? NIMMT_OVER : NIMMT_CHOOSE;
    return count;
}

/* Cards in hands and cards seen --------------------------------------------------------------------------------------- */

static int has(const uint8_t *cards, int card) {
    return cards[(card - 1) >> 3] >> ((card - 1) & 7) & 1;
}

static void add(uint8_t *cards, int card) {
    cards[(card - 1) >> 3] = (uint8_t)(cards[(card - 1) >> 3] | 1 << ((card - 1) & 7));
}

/* May this seat choose this card, whatever others chose? */
static int holds(const nimmt_round *r, int seat, int card) {
    int i;
    if (card < 1 || card > r->highest) {
        return NIMMT_E_CARD;
    }
    if (r->flags & NIMMT_UNKNOWN_HANDS) {
        return has(r->seen, card) ? NIMMT_E_HELD : 0;
    }
    for (i = 0; i < NIMMT_TURNS; i++) {
        if (r->hands[seat][i] == card) {
            return 0;
        }
    }
    return NIMMT_E_HELD;
}

static void show(nimmt_round *r, int seat) {
    uint8_t *hand = r->hands[seat];
    int i, j = 0, card = r->chosen[seat];
    add(r->seen, card);
    for (i = 0; i < NIMMT_TURNS; i++) {
        uint8_t c = hand[i];
        hand[i] = 0;
        if (c != card) {
            hand[j++] = c;
        }
    }
}

/* Moves --------------------------------------------------------------------------------------------------------------- */

int nimmt_choose(nimmt_round *r, int seat, int card) {
    int other, error;
    if (r->phase != NIMMT_CHOOSE) {
        return NIMMT_E_PHASE;
    }
    if (seat < 0 || seat >= r->players) {
        return NIMMT_E_SEAT;
    }
    error = holds(r, seat, card);
    if (error) {
        return error;
    }
    if (r->chosen[seat] == card) {
        return NIMMT_E_SAME;
    }
    for (other = 0; other < r->players; other++) {
        if (r->chosen[other] == card) {
            return NIMMT_E_HELD;
        }
    }
    r->chosen[seat] = (uint8_t)card;
    return 0;
}

int nimmt_withdraw(nimmt_round *r, int seat) {
    if (r->phase != NIMMT_CHOOSE) {
        return NIMMT_E_PHASE;
    }
    if (seat < 0 || seat >= r->players) {
        return NIMMT_E_SEAT;
    }
    if (!r->chosen[seat]) {
        return NIMMT_E_NOTHING;
    }
    r->chosen[seat] = 0;
    return 0;
}

int nimmt_resolve(nimmt_round *r, nimmt_placed *log) {
    int seat;
    if (r->phase == NIMMT_OVER || r->allowed) {
        return NIMMT_E_PHASE;
    }
    if (r->phase == NIMMT_CHOOSE) {
        for (seat = 0; seat < r->players; seat++) {
            if (!r->chosen[seat]) {
                return NIMMT_E_MISSING;
            }
        }
        for (seat = 0; seat < r->players; seat++) {
            show(r, seat);
        }
        r->phase = NIMMT_TAKE;
    }
    return settle(r, log);
}

int nimmt_play(nimmt_round *r, const uint8_t *cards, nimmt_placed *log) {
    int seat, other;
    if (r->phase != NIMMT_CHOOSE) {
        return NIMMT_E_PHASE;
    }
    for (seat = 0; seat < r->players; seat++) {
        int error = holds(r, seat, cards[seat]);
        if (error) {
            return error;
        }
        for (other = 0; other < seat; other++) {
            if (cards[other] == cards[seat]) {
                return NIMMT_E_HELD;
            }
        }
    }
    for (seat = 0; seat < r->players; seat++) {
        r->chosen[seat] = cards[seat];
    }
    return nimmt_resolve(r, log);
}

int nimmt_take(nimmt_round *r, int seat, int row, nimmt_placed *log) {
    if (r->phase != NIMMT_TAKE) {
        return NIMMT_E_PHASE;
    }
    if (seat < 0 || seat >= r->players) {
        return NIMMT_E_SEAT;
    }
    if (!r->allowed || seat != r->owes) {
        return NIMMT_E_OWES;
    }
    if (row < 0 || row >= NIMMT_ROWS || !(r->allowed >> row & 1)) {
        return NIMMT_E_ROW;
    }
    r->owes = 0;
    r->allowed = 0;
    place(r, seat, row, log);
    return 1 + settle(r, log ? log + 1 : 0);
}

/* Opening a round ----------------------------------------------------------------------------------------------------- */

static int valid_rules(int players, int highest, int flags) {
    return players >= 2 && players <= NIMMT_SEATS && highest >= 10 * players + 4 && highest <= NIMMT_CARDS &&
           flags >= 0 && flags < 2 * NIMMT_UNKNOWN_HANDS && (flags & TIE) != TIE && (flags & CHEAPEST) != CHEAPEST;
}

/* Adds a card to a collection of cards; 0 if it is none of the deck or there already. */
static int add_new(uint8_t *cards, int card, int highest) {
    if (card < 1 || card > highest || has(cards, card)) {
        return 0;
    }
    add(cards, card);
    return 1;
}

static void clear(uint8_t *bytes, unsigned size) {
    while (size) {
        bytes[--size] = 0;
    }
}

static void insert(uint8_t *hand, int size, uint8_t card) {
    for (; size > 0 && hand[size - 1] > card; size--) {
        hand[size] = hand[size - 1];
    }
    hand[size] = card;
}

int nimmt_setup(nimmt_round *r, int players, int highest, int flags, const uint8_t open[4], const uint8_t *hands) {
    uint8_t used[sizeof r->seen];
    int i, seat;
    flags = hands ? flags & ~NIMMT_UNKNOWN_HANDS : flags | NIMMT_UNKNOWN_HANDS;
    if (!valid_rules(players, highest, flags)) {
        return NIMMT_E_STATE;
    }
    clear(used, sizeof used);
    for (i = 0; i < NIMMT_ROWS; i++) {
        if (!add_new(used, open[i], highest)) {
            return NIMMT_E_STATE;
        }
    }
    for (i = 0; hands && i < players * NIMMT_TURNS; i++) {
        if (!add_new(used, hands[i], highest)) {
            return NIMMT_E_STATE;
        }
    }
    clear((uint8_t *)r, sizeof *r);
    r->players = (uint8_t)players;
    r->highest = (uint8_t)highest;
    r->flags = (uint8_t)flags;
    for (i = 0; i < NIMMT_ROWS; i++) {
        r->length[i] = 1;
        r->rows[i][0] = open[i];
        add(r->seen, open[i]);
    }
    for (seat = 0; hands && seat < players; seat++) {
        for (i = 0; i < NIMMT_TURNS; i++) {
            insert(r->hands[seat], i, *hands++);
        }
    }
    return 0;
}

int nimmt_deal(nimmt_round *r, int players, int highest, int flags, nimmt_stream *stream) {
    uint8_t deck[NIMMT_CARDS];
    int i;
    if (!valid_rules(players, highest, flags) || flags & NIMMT_UNKNOWN_HANDS) {
        return NIMMT_E_STATE;
    }
    for (i = 0; i < highest; i++) {
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

/* Rows ascend, 1 to 5 cards, all seen; they are added to `table`. */
static int check_rows(const nimmt_round *r, uint8_t *table) {
    int row, i;
    for (row = 0; row < NIMMT_ROWS; row++) {
        int n = r->length[row], before = 0;
        if (n < 1 || n > NIMMT_LONGEST) {
            return 0;
        }
        for (i = 0; i < NIMMT_LONGEST; i++) {
            int card = r->rows[row][i];
            if (i >= n ? card != 0 : card <= before || !add_new(table, card, r->highest) || !has(r->seen, card)) {
                return 0;
            }
            before = card;
        }
    }
    return 1;
}

/* Chosen cards: held and not seen in NIMMT_CHOOSE, seen and not in a row in NIMMT_TAKE, none in NIMMT_OVER. */
static int check_chosen(const nimmt_round *r, uint8_t *table) {
    int seat;
    for (seat = 0; seat < NIMMT_SEATS; seat++) {
        int card = r->chosen[seat];
        if (card == 0) {
            continue;
        }
        if (seat >= r->players || r->phase == NIMMT_OVER || !add_new(table, card, r->highest)) {
            return 0;
        }
        if (r->phase == NIMMT_TAKE ? !has(r->seen, card) : holds(r, seat, card) != 0) {
            return 0;
        }
    }
    seat = lowest_lying(r);
    if (r->phase != NIMMT_TAKE) {
        return r->owes == 0 && r->allowed == 0;
    }
    return seat == r->owes && r->allowed == nimmt_rows_for(r, r->chosen[seat]) && (r->allowed & (r->allowed - 1));
}

/* Hands ascend, are of the right size, and no card is in two of them or was seen. `used` has the cards seen. */
static int check_hands(const nimmt_round *r, uint8_t *used) {
    int seat, i, size = NIMMT_TURNS - r->turn - (r->phase == NIMMT_TAKE);
    for (seat = 0; seat < NIMMT_SEATS; seat++) {
        int held = seat < r->players && !(r->flags & NIMMT_UNKNOWN_HANDS) ? size : 0, before = 0;
        for (i = 0; i < NIMMT_TURNS; i++) {
            int card = r->hands[seat][i];
            if (i >= held ? card != 0 : card <= before || !add_new(used, card, r->highest)) {
                return 0;
            }
            before = card;
        }
    }
    return 1;
}

/* The cards seen are as many as can be, and the heads taken are those of the cards that are seen and no longer there. */
static int check_gone(const nimmt_round *r, const uint8_t *table) {
    int card, seat, gone = 0, unseen = 0;
    for (card = 1; card <= 8 * (int)sizeof r->seen; card++) {
        if (!has(r->seen, card)) {
            unseen += card <= r->highest;
        } else if (card > r->highest) {
            return 0;
        } else if (!has(table, card)) {
            gone += HEADS[card];
        }
    }
    for (seat = 0; seat < NIMMT_SEATS; seat++) {
        gone -= r->heads[seat];
        if (seat >= r->players && r->heads[seat]) {
            return 0;
        }
    }
    return gone == 0 && unseen >= r->players * (NIMMT_TURNS - r->turn - (r->phase == NIMMT_TAKE));
}

int nimmt_check(const nimmt_round *r) {
    uint8_t table[sizeof r->seen], used[sizeof r->seen];
    unsigned i;
    if (!valid_rules(r->players, r->highest, r->flags) || r->phase > NIMMT_OVER ||
        (r->phase == NIMMT_OVER ? r->turn != NIMMT_TURNS : r->turn >= NIMMT_TURNS)) {
        return NIMMT_E_STATE;
    }
    clear(table, sizeof table);
    for (i = 0; i < sizeof used; i++) {
        used[i] = r->seen[i];
    }
    return check_rows(r, table) && check_chosen(r, table) && check_hands(r, used) && check_gone(r, table) ? 0 : NIMMT_E_STATE;
}

/* Built-in policies --------------------------------------------------------------------------------------------------- */

/* The card nearest to the end of a row with room for it, else the lowest. */
static int nearest(const nimmt_round *r, const uint8_t *hand, int size) {
    int i, best = hand[0], best_distance = NIMMT_CARDS;
    for (i = 0; i < size; i++) {
        int mask = nimmt_rows_for(r, hand[i]), row, d;
        if (mask == ALL_ROWS) {
            continue;
        }
        row = nimmt_cheapest(r, hand[i], mask);
        d = distance(r, row, hand[i]);
        if (r->length[row] < NIMMT_LONGEST && d < best_distance) {
            best = hand[i];
            best_distance = d;
        }
    }
    return best;
}

int nimmt_policy_card(const nimmt_round *r, int seat, int policy, nimmt_stream *stream) {
    const uint8_t *hand;
    int size = NIMMT_TURNS - r->turn;
    if (r->phase != NIMMT_CHOOSE) {
        return NIMMT_E_PHASE;
    }
    if (seat < 0 || seat >= r->players) {
        return NIMMT_E_SEAT;
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
    int row, count = 0;
    if (r->phase != NIMMT_TAKE || !r->allowed) {
        return NIMMT_E_PHASE;
    }
    if (policy < 0 || policy >= NIMMT_POLICIES) {
        return NIMMT_E_POLICY;
    }
    if (policy != NIMMT_RANDOM_ROWS) {
        return nimmt_cheapest(r, r->chosen[r->owes], r->allowed);
    }
    for (row = 0; row < NIMMT_ROWS; row++) {
        count += r->allowed >> row & 1;
    }
    count = (int)nimmt_stream_below(stream, (uint32_t)count);
    for (row = 0; !(r->allowed >> row & 1) || count-- > 0; row++) {
    }
    return row;
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
