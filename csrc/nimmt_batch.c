/* Loops over the core; nimmt_batch.h says what each function promises. */
#include "nimmt_batch.h"
#include <string.h>

int nimmt_batch_deal(nimmt_round *block, nimmt_stream *streams, size_t rounds, int players, int highest, int flags,
                     uint64_t seed, uint64_t first, uint32_t round) {
    size_t i;
    for (i = 0; i < rounds; i++) {
        nimmt_stream stream;
        int error;
        nimmt_stream_seed(&stream, seed, first + i, round, 0);
        error = nimmt_deal(block + i, players, highest, flags, &stream);
        if (error) { /* already in the first round: the numbers are the same for all */
            return error;
        }
        streams[i] = stream;
    }
    return 0;
}

int nimmt_batch_check(const nimmt_round *block, size_t rounds) {
    size_t i;
    for (i = 0; i < rounds; i++) {
        const nimmt_round *r = block + i;
        if (nimmt_check(r) || r->players != block->players || r->highest != block->highest || r->flags != block->flags ||
            r->flags & NIMMT_UNKNOWN_HANDS) {
            return NIMMT_E_STATE;
        }
    }
    return 0;
}

/* Counts a round that refuses. */
static size_t refused(int code, int8_t *codes, size_t i) {
    if (codes) {
        codes[i] = (int8_t)code;
    }
    return code != 0;
}

/* Does the hand have the card? Ask for 1..104 only, since hands end in zeros. */
static int holds(const uint8_t *hand, uint8_t card) {
    int i, found = 0;
    for (i = 0; i < NIMMT_TURNS; i++) {
        found |= hand[i] == card;
    }
    return found;
}

static int check_cards(const nimmt_round *r, const uint8_t *cards) {
    int seat;
    if (r->phase != NIMMT_CHOOSE) {
        return NIMMT_E_PHASE;
    }
    for (seat = 0; seat < r->players; seat++) {
        if (cards[seat] == 0 || cards[seat] > r->highest) {
            return NIMMT_E_CARD;
        }
        if (!holds(r->hands[seat], cards[seat])) {
            return NIMMT_E_HELD;
        }
    }
    return 0;
}

size_t nimmt_batch_choose(nimmt_round *block, size_t rounds, const uint8_t *cards, int8_t *codes) {
    size_t i, bad = 0, players = rounds ? block->players : 0;
    for (i = 0; i < rounds; i++) {
        bad += refused(check_cards(block + i, cards + i * players), codes, i);
    }
    for (i = 0; !bad && i < rounds; i++) {
        memcpy(block[i].chosen, cards + i * players, players);
    }
    return bad;
}

static void heads_since(const nimmt_round *r, const uint8_t *before, uint8_t *heads) {
    int seat;
    for (seat = 0; seat < r->players; seat++) {
        heads[seat] = (uint8_t)(r->heads[seat] - before[seat]);
    }
}

static int check_chosen(const nimmt_round *r) {
    if (r->phase != NIMMT_CHOOSE) {
        return NIMMT_E_PHASE;
    }
    return memchr(r->chosen, 0, r->players) ? NIMMT_E_MISSING : 0;
}

/* Takes the chosen cards out of all hands: what is not below a seat's card moves down one place. */
static void show(nimmt_round *r) {
    uint8_t *hands = (uint8_t *)r + offsetof(nimmt_round, hands), cards[NIMMT_SEATS * NIMMT_TURNS] = {0};
    int seat, i, last = NIMMT_TURNS - 1 - r->turn;
    for (seat = 0; seat < r->players; seat++) {
        memset(cards + NIMMT_TURNS * seat, r->chosen[seat], NIMMT_TURNS);
    }
    for (i = 0; i < NIMMT_SEATS * NIMMT_TURNS - 1; i++) { /* a constant count makes whole vectors */
        uint8_t here = hands[i], next = hands[i + 1]; /* both loaded: a conditional load keeps a loop scalar */
        hands[i] = here < cards[i] ? here : next;
    }
    for (seat = 0; seat < r->players; seat++) {
        uint8_t *byte = r->seen + ((r->chosen[seat] - 1) >> 3);
        *byte = (uint8_t)(*byte | 1 << ((r->chosen[seat] - 1) & 7));
        r->hands[seat][last] = 0;
    }
}

/* The chosen cards as card * 16 + seat, ascending; without branches, which could not be predicted. */
static void sort(const nimmt_round *r, uint16_t *keys) {
    int i, j;
    for (i = 0; i < r->players; i++) {
        keys[i] = (uint16_t)(r->chosen[i] << 4 | i);
        for (j = i; j > 0; j--) {
            uint16_t a = keys[j - 1], b = keys[j];
            keys[j - 1] = a < b ? a : b;
            keys[j] = a < b ? b : a;
        }
    }
}

/* The seat takes a row, and its card lies there alone (R6, R7). */
static void take(nimmt_round *r, int seat, int row, int card) {
    uint8_t *cards = r->rows[row];
    int i, heads = r->heads[seat];
    for (i = 0; i < NIMMT_LONGEST; i++) {
        heads += nimmt_bull_heads(cards[i]);
        cards[i] = 0;
    }
    cards[0] = (uint8_t)card;
    r->length[row] = 1;
    r->heads[seat] = (uint8_t)heads;
}

/*
 * nimmt_resolve and nimmt_take for one turn of the base game, 1.3 to 1.8 times as fast: only the lowest card can be low
 * there, so all cards can be placed in one sweep.
 */
static void resolve(nimmt_round *r, nimmt_stream *stream, int policy) {
    uint16_t keys[NIMMT_SEATS];
    uint8_t ends[NIMMT_ROWS];
    int i, row, low = 1;
    sort(r, keys);
    show(r);
    for (row = 0; row < NIMMT_ROWS; row++) {
        ends[row] = r->rows[row][r->length[row] - 1];
        low &= ends[row] > keys[0] >> 4;
    }
    if (low) {
        r->phase = NIMMT_TAKE;
        r->owes = keys[0] & 15;
        r->allowed = 15;
        if (policy < 0) {
            return;
        }
        row = nimmt_policy_row(r, policy, stream);
        take(r, r->owes, row, keys[0] >> 4);
        ends[row] = (uint8_t)(keys[0] >> 4);
        r->owes = 0;
        r->allowed = 0;
    }
    for (i = low; i < r->players; i++) {
        int card = keys[i] >> 4;
        int best = 1024; /* distance * 4 + row; modulo 256, an end above the card is at least 153 away */
        for (row = 0; row < NIMMT_ROWS; row++) {
            int key = (uint8_t)(card - ends[row]) << 2 | row;
            best = key < best ? key : best;
        }
        row = best & 3;
        ends[row] = (uint8_t)card;
        if (r->length[row] == NIMMT_LONGEST) {
            take(r, keys[i] & 15, row, card);
        } else {
            r->rows[row][r->length[row]++] = (uint8_t)card;
        }
    }
    memset(r->chosen, 0, sizeof r->chosen);
    r->turn++;
    r->phase = r->turn == NIMMT_TURNS ? NIMMT_OVER : NIMMT_CHOOSE;
}

size_t nimmt_batch_resolve(nimmt_round *block, nimmt_stream *streams, size_t rounds, int policy, uint8_t *heads,
                           int8_t *codes) {
    size_t i, bad = 0, players = rounds ? block->players : 0;
    uint8_t before[NIMMT_SEATS];
    for (i = 0; i < rounds; i++) {
        bad += refused(check_chosen(block + i), codes, i);
    }
    for (i = 0; !bad && i < rounds; i++) {
        memcpy(before, block[i].heads, sizeof before);
        if (block[i].flags & NIMMT_PROFESSIONAL) {
            nimmt_resolve(block + i, 0);
            while (policy >= 0 && block[i].allowed) {
                nimmt_take(block + i, block[i].owes, nimmt_policy_row(block + i, policy, streams + i), 0);
            }
        } else {
            resolve(block + i, streams + i, policy);
        }
        if (heads) {
            heads_since(block + i, before, heads + i * players);
        }
    }
    return bad;
}

size_t nimmt_batch_take(nimmt_round *block, size_t rounds, const uint8_t *rows, uint8_t *heads, int8_t *codes) {
    size_t i, bad = 0, players = rounds ? block->players : 0;
    uint8_t before[NIMMT_SEATS];
    for (i = 0; i < rounds; i++) {
        const nimmt_round *r = block + i;
        int good = !r->allowed || (rows[i] < NIMMT_ROWS && r->allowed >> rows[i] & 1);
        bad += refused(good ? 0 : NIMMT_E_ROW, codes, i);
    }
    for (i = 0; !bad && i < rounds; i++) {
        nimmt_round *r = block + i;
        memcpy(before, r->heads, sizeof before);
        if (r->allowed) {
            nimmt_take(r, r->owes, rows[i], 0);
        }
        if (heads) {
            heads_since(r, before, heads + i * players);
        }
    }
    return bad;
}

size_t nimmt_batch_owing(const nimmt_round *block, size_t rounds) {
    size_t i, owing = 0;
    for (i = 0; i < rounds; i++) {
        owing += block[i].allowed != 0;
    }
    return owing;
}

int nimmt_batch_policy(const nimmt_round *block, nimmt_stream *streams, size_t rounds, const uint8_t *policies,
                       uint8_t *cards) {
    size_t i, players = rounds ? block->players : 0, seat;
    for (seat = 0; seat < players; seat++) {
        if (policies[seat] >= NIMMT_POLICIES && policies[seat] != 255) {
            return NIMMT_E_POLICY;
        }
    }
    for (i = 0; i < rounds; i++) {
        if (block[i].phase != NIMMT_CHOOSE) {
            return NIMMT_E_PHASE;
        }
    }
    for (i = 0; i < rounds; i++) {
        for (seat = 0; seat < players; seat++) {
            if (policies[seat] != 255) {
                cards[i * players + seat] = (uint8_t)nimmt_policy_card(block + i, (int)seat, policies[seat], streams + i);
            }
        }
    }
    return 0;
}

int nimmt_batch_playout(nimmt_round *block, nimmt_stream *streams, size_t rounds, const uint8_t *policies) {
    size_t i;
    int error = 0; /* the policies are the same for all, and hands are known: the first round tells */
    for (i = 0; i < rounds && !error; i++) {
        error = nimmt_playout(block + i, policies, streams + i);
    }
    return error;
}

void nimmt_batch_legal(const nimmt_round *block, size_t rounds, uint8_t *legal) {
    size_t i;
    memset(legal, 0, rounds ? rounds * block->players * (NIMMT_CARDS + 1) : 0);
    for (i = 0; i < rounds; i++) {
        const nimmt_round *r = block + i;
        int seat, at, size = r->phase == NIMMT_CHOOSE ? NIMMT_TURNS - r->turn : 0;
        for (seat = 0; seat < r->players; seat++, legal += NIMMT_CARDS + 1) {
            for (at = 0; at < size; at++) {
                legal[r->hands[seat][at]] = 1;
            }
        }
    }
}

/* Lays out a position for nimmt_resolve; returns 0, or why it cannot be. */
static int lay_out(nimmt_round *r, const uint8_t *rows, const uint8_t *cards, int players, int flags) {
    uint8_t used[256] = {1}; /* by any byte; 0 is not a card */
    int row, i, n, seat, code = NIMMT_E_MISSING;
    memset(r, 0, sizeof *r);
    r->players = (uint8_t)players;
    r->highest = NIMMT_CARDS;
    r->flags = (uint8_t)flags;
    r->phase = NIMMT_TAKE;
    memcpy(r->rows, rows, sizeof r->rows);
    for (row = 0; row < NIMMT_ROWS; row++, rows += NIMMT_LONGEST) {
        for (n = 0; n < NIMMT_LONGEST && rows[n]; n++) {
            if (used[rows[n]] || rows[n] > NIMMT_CARDS || (n > 0 && rows[n] < rows[n - 1])) {
                return NIMMT_E_STATE;
            }
            used[rows[n]] = 1;
        }
        for (i = n; i < NIMMT_LONGEST; i++) {
            if (n == 0 || rows[i]) {
                return NIMMT_E_STATE;
            }
        }
        r->length[row] = (uint8_t)n;
    }
    for (seat = 0; seat < players; seat++) {
        uint8_t card = cards[seat];
        if (card > NIMMT_CARDS || (card && used[card])) {
            return card > NIMMT_CARDS ? NIMMT_E_CARD : NIMMT_E_HELD;
        }
        used[card] = 1;
        r->chosen[seat] = card;
        code = card ? 0 : code;
    }
    return code;
}

size_t nimmt_batch_place(const uint8_t *rows, const uint8_t *cards, const uint8_t *take, size_t positions, int players,
                         int flags, uint8_t *placed, uint8_t *heads, uint8_t *owes, uint8_t *allowed, int8_t *codes) {
    size_t i, bad = 0, n = (size_t)players;
    for (i = 0; i < positions; i++) {
        nimmt_round r;
        int code = lay_out(&r, rows + sizeof r.rows * i, cards + n * i, players, flags);
        if (!code) {
            code = nimmt_resolve(&r, 0);
            while (code >= 0 && r.allowed && take && take[n * i + r.owes] < NIMMT_ROWS) {
                code = nimmt_take(&r, r.owes, take[n * i + r.owes], 0);
            }
        }
        bad += refused(code < 0 ? code : 0, codes, i);
        if (code >= 0) {
            memcpy(placed + sizeof r.rows * i, r.rows, sizeof r.rows);
            memcpy(heads + n * i, r.heads, n);
            owes[i] = r.allowed ? r.owes : 255;
            allowed[i] = r.allowed;
        }
    }
    return bad;
}

void nimmt_batch_narrow(uint8_t *to, const void *from, size_t count, size_t size) {
    const uint8_t *bytes = from;
    size_t i;
    for (i = 0; i < count; i++, bytes += size) {
        uint64_t value = 0;
        uint32_t four;
        uint16_t two;
        switch (size) { /* as unsigned numbers negative ones are far above 255 */
        case 1:
            value = *bytes;
            break;
        case 2:
            memcpy(&two, bytes, sizeof two);
            value = two;
            break;
        case 4:
            memcpy(&four, bytes, sizeof four);
            value = four;
            break;
        default:
            memcpy(&value, bytes, sizeof value);
        }
        to[i] = value < 255 ? (uint8_t)value : 255;
    }
}
