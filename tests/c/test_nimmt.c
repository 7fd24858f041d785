/*
 * Tests of nimmt.c alone, in hosted C99: cc -std=c99 -O2 -Icsrc tests/c/test_nimmt.c csrc/nimmt.c
 *
 * Prints a line for each test and a count at the end; exits with 0 or 1. The argument `quick`, or -DQUICK, makes the long
 * tests short, for sanitizers and emulated machines. The digest is the same number everywhere and at either length.
 */
#include "nimmt.h"
#include "vectors.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define CHECK(condition) expect((condition) != 0, #condition, __LINE__)

/* The call must give the code and change neither the round `r` nor the log. */
#define REFUSES(code, call) \
    do { \
        nimmt_round before_ = r; \
        memset(log_, 0xA5, sizeof log_); \
        CHECK((call) == (code)); \
        CHECK(memcmp(&before_, &r, sizeof r) == 0); \
        CHECK(bytes_are(log_, sizeof log_, 0xA5)); \
    } while (0)

/* FNV-1a 64 over the states and placements of the games in test_digest: changes only with NIMMT_STREAM_VERSION. */
#define DIGEST UINT64_C(0x7CAEA0710644DEB8)

#ifdef QUICK
static int quick = 1;
#else
static int quick = 0;
#endif

static int wrong;     /* failed expectations of the running test */
static char note[80]; /* what the running test has to say */
static nimmt_placed log_[10];

static void expect(int holds, const char *what, int line) {
    if (!holds && wrong++ < 5) {
        printf("  line %d: %s\n", line, what);
    }
}

static int bytes_are(const void *bytes, size_t size, int value) {
    const unsigned char *b = bytes;
    while (size && b[size - 1] == value) {
        size--;
    }
    return size == 0;
}

static int same(const nimmt_round *a, const nimmt_round *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Random numbers of the tests' own: what they test is not what they trust. */
static uint64_t dice = 1;

static int roll(int n) {
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice >> 33) % (uint64_t)n);
}

static int one_of(const int *values, int count) {
    return values[roll(count)];
}

/* Rules as valid as any: of each pair of flags none or one. */
static int roll_flags(void) {
    static const int TIES[] = {0, NIMMT_TIE_RIGHT, NIMMT_TIE_LEFT};
    static const int CHEAPEST[] = {0, NIMMT_CHEAPEST_FEWEST, NIMMT_CHEAPEST_MOST};
    return roll(2) * NIMMT_PROFESSIONAL | one_of(TIES, 3) | one_of(CHEAPEST, 3);
}

static int roll_highest(int players) {
    int tactic = 10 * players + 4;
    switch (roll(3)) {
    case 0:
        return tactic;
    case 1:
        return tactic + roll(NIMMT_CARDS - tactic + 1);
    default:
        return NIMMT_CARDS;
    }
}

static void deal(nimmt_round *r, int players, int highest, int flags, uint64_t seed, uint64_t game) {
    nimmt_stream stream;
    nimmt_stream_seed(&stream, seed, game, 0, 0);
    CHECK(nimmt_deal(r, players, highest, flags, &stream) == 0);
}

/* A table without hands: ten seats, cards by seat lying on it (nimmt_resolve places them). */
static void lay(nimmt_round *r, int flags, const uint8_t *rows, const uint8_t *cards, int count) {
    int row, seat;
    memset(r, 0, sizeof *r);
    r->players = NIMMT_SEATS;
    r->highest = NIMMT_CARDS;
    r->flags = (uint8_t)flags;
    r->phase = NIMMT_TAKE;
    memcpy(r->rows, rows, sizeof r->rows);
    for (row = 0; row < NIMMT_ROWS; row++) {
        while (r->length[row] < NIMMT_LONGEST && r->rows[row][r->length[row]]) {
            r->length[row]++;
        }
    }
    for (seat = 0; seat < count; seat++) {
        r->chosen[seat] = cards[seat];
    }
}

static int heads_of(const uint8_t *cards, int count) {
    int heads = 0;
    while (count > 0) {
        heads += nimmt_bull_heads(cards[--count]);
    }
    return heads;
}

/* Bytes and cards ----------------------------------------------------------------------------------------------------- */

static void test_layout(void) {
    CHECK(sizeof(nimmt_round) == 164);
    CHECK(sizeof(nimmt_placed) == 9);
    CHECK(sizeof(nimmt_stream) == 16);
    CHECK(offsetof(nimmt_round, players) == 0);
    CHECK(offsetof(nimmt_round, highest) == 1);
    CHECK(offsetof(nimmt_round, flags) == 2);
    CHECK(offsetof(nimmt_round, phase) == 3);
    CHECK(offsetof(nimmt_round, turn) == 4);
    CHECK(offsetof(nimmt_round, owes) == 5);
    CHECK(offsetof(nimmt_round, allowed) == 6);
    CHECK(offsetof(nimmt_round, length) == 7);
    CHECK(offsetof(nimmt_round, rows) == 11);
    CHECK(offsetof(nimmt_round, chosen) == 31);
    CHECK(offsetof(nimmt_round, heads) == 41);
    CHECK(offsetof(nimmt_round, seen) == 51);
    CHECK(offsetof(nimmt_round, hands) == 64);
    CHECK(offsetof(nimmt_placed, side) == 3);
    CHECK(offsetof(nimmt_placed, taken) == 4);
    CHECK(NIMMT_STREAM_VERSION == 1);
}

static void test_bull_heads(void) {
    int card, cards[8] = {0};
    for (card = 1; card <= NIMMT_CARDS; card++) {
        int heads = nimmt_bull_heads(card);
        CHECK(heads == (card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1));
        cards[heads & 7]++;
    }
    CHECK(cards[1] == 76 && cards[2] == 9 && cards[3] == 10 && cards[5] == 8 && cards[7] == 1);
    CHECK(nimmt_bull_heads(0) == 0 && nimmt_bull_heads(-1) == 0 && nimmt_bull_heads(105) == 0);
    CHECK(nimmt_bull_heads(55 + 256) == 0 && nimmt_bull_heads(INT_MAX) == 0 && nimmt_bull_heads(INT_MIN) == 0);
}

/* Random streams ------------------------------------------------------------------------------------------------------ */

static void test_primitives(void) {
    nimmt_stream stream = {{1, 2, 3, 4}};
    uint32_t out[4];
    int i;
    for (i = 0; i < COUNT(THREEFRY); i++) {
        nimmt_threefry(out, THREEFRY[i].counter, THREEFRY[i].key);
        CHECK(memcmp(out, THREEFRY[i].out, sizeof out) == 0);
        memcpy(out, THREEFRY[i].counter, sizeof out);
        nimmt_threefry(out, out, THREEFRY[i].key);
        CHECK(memcmp(out, THREEFRY[i].out, sizeof out) == 0);
        memcpy(out, THREEFRY[i].key, sizeof out);
        nimmt_threefry(out, THREEFRY[i].counter, out);
        CHECK(memcmp(out, THREEFRY[i].out, sizeof out) == 0);
    }
    for (i = 0; i < COUNT(XOSHIRO); i++) {
        CHECK(nimmt_stream_next(&stream) == XOSHIRO[i]);
    }
}

static void test_streams(void) {
    nimmt_stream stream, other;
    int i, j;
    for (i = 0; i < COUNT(STREAMS); i++) {
        nimmt_stream_seed(&stream, STREAMS[i].seed, STREAMS[i].game, STREAMS[i].round, 0);
        CHECK(memcmp(stream.s, STREAMS[i].state, sizeof stream.s) == 0);
        nimmt_stream_seed(&other, STREAMS[i].seed, STREAMS[i].game, STREAMS[i].round, 1);
        CHECK(memcmp(stream.s, other.s, sizeof stream.s) != 0);
        for (j = 0; j < COUNT(STREAMS[i].first); j++) {
            CHECK(nimmt_stream_next(&stream) == STREAMS[i].first[j]);
        }
    }
}

/* What below(n) makes of one draw, in 64 bits: the result, or n if the draw is refused. */
static uint32_t lemire(uint32_t draw, uint32_t n) {
    uint64_t product = (uint64_t)draw * n;
    return (uint32_t)product < (uint32_t)((UINT64_C(1) << 32) % n) ? n : (uint32_t)(product >> 32);
}

/* A stream whose next draw is this one. */
static nimmt_stream about_to_draw(uint32_t draw) {
    nimmt_stream stream = {{0, 1, 2, 0}};
    stream.s[3] = draw >> 7 | draw << 25;
    return stream;
}

static void test_below(void) {
    static const uint32_t SOME[] = {1, 2, 3, 4, 10, 100, 104, 255, 256, 257, 32768, 32769, 40503, 65521, 65534, 65535};
    int i, k, delta, refused = 0;
    for (i = 0; i < COUNT(SOME); i++) {
        uint32_t n = SOME[i];
        for (k = 0; k < 200; k++) {
            /* Draws around the border between two results: there the low half is small, and some are refused. */
            uint64_t border = (((uint64_t)(k < 100 ? (uint32_t)k : (uint32_t)roll(65536)) % n << 32) + n - 1) / n;
            for (delta = -2; delta <= 2; delta++) {
                uint32_t draw = (uint32_t)(border + (uint64_t)(int64_t)delta), expected = lemire(draw, n), got;
                nimmt_stream stream = about_to_draw(draw), twin = stream;
                CHECK(nimmt_stream_next(&twin) == draw);
                got = nimmt_stream_below(&stream, n);
                while (expected == n) {
                    expected = lemire(nimmt_stream_next(&twin), n);
                    refused++;
                }
                CHECK(got == expected);
                CHECK(memcmp(stream.s, twin.s, sizeof stream.s) == 0);
            }
        }
    }
    CHECK(refused > 100);
    snprintf(note, sizeof note, "%d draws refused", refused);
}

static void test_below_is_fair(void) {
    nimmt_stream stream;
    uint32_t n;
    int i, draws = quick ? 2000 : 100000;
    nimmt_stream_seed(&stream, 3, 0, 0, 9);
    for (n = 1; n <= 104; n += n < 12 ? 1 : 23) {
        int count[104] = {0};
        double chi = 0, mean = (double)draws / n;
        for (i = 0; i < draws; i++) {
            uint32_t x = nimmt_stream_below(&stream, n);
            CHECK(x < n);
            count[x < n ? x : 0]++;
        }
        for (i = 0; i < (int)n; i++) {
            chi += (count[i] - mean) * (count[i] - mean) / mean;
        }
        CHECK(n == 1 ? chi == 0 : (chi - (n - 1)) * (chi - (n - 1)) < 25.0 * 2 * (n - 1) + 100);
    }
}

/* Opening a round ----------------------------------------------------------------------------------------------------- */

static void test_deals(void) {
    int i, seat, card;
    for (i = 0; i < COUNT(DEALS); i++) {
        nimmt_stream stream;
        nimmt_round r;
        nimmt_stream_seed(&stream, DEALS[i].seed, DEALS[i].game, DEALS[i].round, 0);
        memset(&r, 0x5A, sizeof r);
        CHECK(nimmt_deal(&r, DEALS[i].players, DEALS[i].highest, 0, &stream) == 0);
        CHECK(nimmt_check(&r) == 0);
        CHECK(memcmp(r.hands, DEALS[i].hands, sizeof r.hands) == 0);
        for (card = 0; card < NIMMT_ROWS; card++) {
            CHECK(r.rows[card][0] == DEALS[i].open[card] && r.length[card] == 1);
        }
    }
    for (seat = 2; seat <= NIMMT_SEATS; seat++) { /* V1: the tactic deck is dealt to the last card */
        nimmt_round r;
        int used[NIMMT_CARDS + 1] = {0};
        deal(&r, seat, 10 * seat + 4, 0, 11, 1);
        for (i = 0; i < 10 * seat; i++) {
            used[r.hands[i / 10][i % 10]]++;
        }
        for (i = 0; i < NIMMT_ROWS; i++) {
            used[r.rows[i][0]]++;
        }
        for (card = 1; card <= 10 * seat + 4; card++) {
            CHECK(used[card] == 1);
        }
        CHECK(used[0] == 0);
    }
}

static void test_setup(void) {
    uint8_t hands[100], open[4], turned[100];
    nimmt_round r, s;
    int players, i;
    for (players = 2; players <= NIMMT_SEATS; players++) {
        for (i = 0; i < 4; i++) {
            open[i] = (uint8_t)(4 - i);
        }
        for (i = 0; i < 10 * players; i++) {
            hands[i] = (uint8_t)(5 + i);
            turned[i] = (uint8_t)(5 + i / 10 * 10 + (i * 7 + 3) % 10);
        }
        CHECK(nimmt_setup(&r, players, 10 * players + 4, NIMMT_UNKNOWN_HANDS, open, hands) == 0);
        CHECK(r.flags == 0 && nimmt_check(&r) == 0);
        CHECK(r.rows[0][0] == 4 && r.rows[3][0] == 1 && r.hands[players - 1][9] == 10 * players + 4);
        memset(&s, 0xFF, sizeof s);
        CHECK(nimmt_setup(&s, players, 10 * players + 4, 0, open, turned) == 0);
        CHECK(same(&r, &s)); /* hands in any order */
        CHECK(nimmt_setup(&r, players, NIMMT_CARDS, NIMMT_PROFESSIONAL, open, 0) == 0);
        CHECK(r.flags == (NIMMT_PROFESSIONAL | NIMMT_UNKNOWN_HANDS) && nimmt_check(&r) == 0);
        CHECK(bytes_are(r.hands, sizeof r.hands, 0) && r.seen[0] == 15);
    }
}

static void test_setup_refuses(void) {
    static const struct {
        int players, highest, flags;
    } BAD[] = {
        {-1, 104, 0}, {0, 104, 0}, {1, 104, 0}, {11, 104, 0}, {256 + 4, 104, 0}, {INT_MAX, 104, 0}, {INT_MIN, 104, 0},
        {4, 43, 0}, {4, 105, 0}, {4, 0, 0}, {4, -1, 0}, {4, 256 + 104, 0}, {4, INT_MAX, 0}, {4, INT_MIN, 0},
        {10, 103, 0}, {2, 23, 0}, {4, 104, 64}, {4, 104, 256}, {4, 104, -1}, {4, 104, INT_MIN},
        {4, 104, NIMMT_TIE_RIGHT | NIMMT_TIE_LEFT}, {4, 104, NIMMT_CHEAPEST_FEWEST | NIMMT_CHEAPEST_MOST},
    };
    static const uint8_t BAD_CARDS[] = {0, 105, 255, 45}; /* 45 is above `highest` below */
    uint8_t open[4] = {41, 42, 43, 44}, hands[40];
    nimmt_stream stream, twin;
    nimmt_round r;
    int i, j;
    for (i = 0; i < 40; i++) {
        hands[i] = (uint8_t)(i + 1);
    }
    memset(&r, 0x5A, sizeof r);
    nimmt_stream_seed(&stream, 1, 2, 3, 4);
    twin = stream;
    for (i = 0; i < COUNT(BAD); i++) {
        REFUSES(NIMMT_E_STATE, nimmt_setup(&r, BAD[i].players, BAD[i].highest, BAD[i].flags, open, hands));
        REFUSES(NIMMT_E_STATE, nimmt_setup(&r, BAD[i].players, BAD[i].highest, BAD[i].flags, open, 0));
        REFUSES(NIMMT_E_STATE, nimmt_deal(&r, BAD[i].players, BAD[i].highest, BAD[i].flags, &stream));
    }
    REFUSES(NIMMT_E_STATE, nimmt_deal(&r, 4, 104, NIMMT_UNKNOWN_HANDS, &stream));
    CHECK(memcmp(&stream, &twin, sizeof stream) == 0);
    for (i = 0; i < 4; i++) {
        for (j = 0; j < COUNT(BAD_CARDS) + 1; j++) {
            open[i] = (uint8_t)(j < COUNT(BAD_CARDS) ? BAD_CARDS[j] : 41 + (i + 1) % 4);
            REFUSES(NIMMT_E_STATE, nimmt_setup(&r, 4, 44, 0, open, hands));
            REFUSES(NIMMT_E_STATE, nimmt_setup(&r, 4, 44, 0, open, 0));
            open[i] = (uint8_t)(41 + i);
        }
    }
    for (i = 0; i < 40; i++) {
        for (j = 0; j < COUNT(BAD_CARDS) + 2; j++) {
            hands[i] = (uint8_t)(j < COUNT(BAD_CARDS) ? BAD_CARDS[j] : j == COUNT(BAD_CARDS) ? 41 : (i + 1) % 40 + 1);
            REFUSES(NIMMT_E_STATE, nimmt_setup(&r, 4, 44, 0, open, hands));
            hands[i] = (uint8_t)(i + 1);
        }
    }
    CHECK(nimmt_setup(&r, 4, 44, 0, open, hands) == 0);
}

/* Placing ------------------------------------------------------------------------------------------------------------- */

static void test_positions(void) {
    int i, j;
    for (i = 0; i < COUNT(POSITIONS); i++) {
        int heads[NIMMT_SEATS] = {0}, count, steps = 0, failed = wrong;
        nimmt_placed log[10];
        nimmt_round r, blind;
        memset(log, 0, sizeof log);
        lay(&r, POSITIONS[i].flags, POSITIONS[i].rows[0], POSITIONS[i].cards, COUNT(POSITIONS[i].cards));
        blind = r;
        count = nimmt_resolve(&r, log);
        CHECK(nimmt_resolve(&blind, 0) == count && same(&r, &blind));
        while (count >= 0 && r.phase == NIMMT_TAKE && POSITIONS[i].take[r.owes]) {
            int more = nimmt_take(&r, r.owes, POSITIONS[i].take[r.owes] - 1, log + count);
            CHECK(more > 0);
            count = more > 0 ? count + more : -1;
        }
        for (; steps < COUNT(POSITIONS[i].steps) && POSITIONS[i].steps[steps].card; steps++) {
            const step *s = &POSITIONS[i].steps[steps];
            CHECK(log[steps].seat == s->seat && log[steps].card == s->card);
            CHECK(log[steps].row == s->row && log[steps].side == s->side);
            CHECK(heads_of(log[steps].taken, 5) == s->heads);
            heads[s->seat] += s->heads;
        }
        CHECK(count == steps);
        CHECK(memcmp(r.rows, POSITIONS[i].after, sizeof r.rows) == 0);
        CHECK(r.owes == POSITIONS[i].owes && r.allowed == POSITIONS[i].allowed);
        CHECK(r.phase == (POSITIONS[i].allowed ? NIMMT_TAKE : NIMMT_CHOOSE));
        for (j = 0; j < NIMMT_SEATS; j++) {
            CHECK(r.heads[j] == heads[j]);
        }
        if (wrong > failed) {
            printf("  in %s\n", POSITIONS[i].name);
        }
    }
    snprintf(note, sizeof note, "%d", COUNT(POSITIONS));
}

/* A row of every length at every place, taken by a low card and by a sixth one: the price, the log, the bytes left over. */
static void test_taking(void) {
    int row, length, i;
    for (row = 0; row < NIMMT_ROWS; row++) {
        for (length = 1; length <= NIMMT_LONGEST; length++) {
            uint8_t rows[4][5] = {{0}}, low[1] = {5}, high[1] = {58}, taken[5];
            nimmt_round r;
            for (i = 0; i < NIMMT_ROWS; i++) {
                rows[i][0] = (uint8_t)(i == row ? 51 : 10 * i + 10);
            }
            for (i = 1; i < length; i++) {
                rows[row][i] = (uint8_t)(51 + i);
            }
            memcpy(taken, rows[row], sizeof taken);
            lay(&r, 0, rows[0], low, 1);
            CHECK(nimmt_resolve(&r, log_) == 0 && r.owes == 0 && r.allowed == 15);
            CHECK(nimmt_take(&r, 0, row, log_) == 1);
            CHECK(log_[0].side == NIMMT_TOOK && memcmp(log_[0].taken, taken, sizeof taken) == 0);
            CHECK(r.heads[0] == heads_of(taken, 5) && r.length[row] == 1 && r.rows[row][0] == 5);
            CHECK(bytes_are(r.rows[row] + 1, 4, 0));
            lay(&r, 0, rows[0], high, 1);
            CHECK(nimmt_resolve(&r, log_) == 1 && log_[0].side == NIMMT_RIGHT && log_[0].row == row);
            if (length == NIMMT_LONGEST) {
                CHECK(memcmp(log_[0].taken, taken, sizeof taken) == 0 && r.heads[0] == 7 + 1 + 1 + 1 + 1);
                CHECK(r.length[row] == 1 && r.rows[row][0] == 58 && bytes_are(r.rows[row] + 1, 4, 0));
            } else {
                CHECK(bytes_are(log_[0].taken, 5, 0) && r.heads[0] == 0);
                CHECK(r.length[row] == length + 1 && r.rows[row][length] == 58);
            }
        }
    }
}

static void test_cheapest(void) {
    static const uint8_t TIE[4][5] = {{52}, {48}, {80}, {90}}, BOTH_FULL[4][5] = {{44, 45, 46, 47, 48}, {52, 53, 54, 56, 57}, {1}, {99}};
    static const uint8_t EQUAL[4][5] = {{90}, {6, 7, 8}, {80}, {4, 15}};
    nimmt_round r;
    int i;
    for (i = 0; i < COUNT(CHEAPEST_ROWS); i++) {
        lay(&r, CHEAPEST_ROWS[i].flags, CHEAPEST_ROWS[i].rows[0], &CHEAPEST_ROWS[i].card, 1);
        CHECK(nimmt_resolve(&r, 0) == 0);
        CHECK(nimmt_cheapest(&r, CHEAPEST_ROWS[i].card, r.allowed) == CHEAPEST_ROWS[i].row);
        CHECK(nimmt_policy_row(&r, NIMMT_LOWEST, 0) == CHEAPEST_ROWS[i].row);
    }
    lay(&r, NIMMT_PROFESSIONAL, TIE[0], 0, 0);
    CHECK(nimmt_rows_for(&r, 50) == 3 && nimmt_cheapest(&r, 50, 3) == 1); /* A2: both free, the right side */
    CHECK(nimmt_cheapest(&r, 50, 1) == 0);
    r.flags |= NIMMT_TIE_LEFT;
    CHECK(nimmt_rows_for(&r, 50) == 1);
    r.flags ^= NIMMT_TIE_LEFT | NIMMT_TIE_RIGHT;
    CHECK(nimmt_rows_for(&r, 50) == 2);
    lay(&r, NIMMT_PROFESSIONAL, BOTH_FULL[0], 0, 0);
    CHECK(nimmt_rows_for(&r, 50) == 3 && nimmt_cheapest(&r, 50, 3) == 1); /* 10 heads on the right, 5 on the left */
    lay(&r, 0, EQUAL[0], 0, 0);
    CHECK(nimmt_rows_for(&r, 3) == 15 && nimmt_cheapest(&r, 3, 15) == 0 && nimmt_cheapest(&r, 3, 14) == 1);
    r.flags = NIMMT_CHEAPEST_FEWEST;
    CHECK(nimmt_cheapest(&r, 3, 15) == 0 && nimmt_cheapest(&r, 3, 10) == 3 && nimmt_cheapest(&r, 3, 14) == 2);
    r.flags = NIMMT_CHEAPEST_MOST;
    CHECK(nimmt_cheapest(&r, 3, 15) == 1 && nimmt_cheapest(&r, 3, 13) == 3 && nimmt_cheapest(&r, 3, 5) == 0);
}

static void test_whole_rounds(void) {
    int i, turn, seat;
    for (i = 0; i < COUNT(WHOLE_ROUNDS); i++) {
        int heads[NIMMT_SEATS] = {0}, players = WHOLE_ROUNDS[i].players;
        nimmt_round r;
        CHECK(nimmt_setup(&r, players, WHOLE_ROUNDS[i].highest, WHOLE_ROUNDS[i].flags, WHOLE_ROUNDS[i].open,
                          WHOLE_ROUNDS[i].hands[0]) == 0);
        for (turn = 0; turn < NIMMT_TURNS; turn++) {
            int count = nimmt_play(&r, WHOLE_ROUNDS[i].turns[turn].cards, log_);
            CHECK(count >= 0 && nimmt_check(&r) == 0);
            while (count >= 0 && r.phase == NIMMT_TAKE) {
                int row = WHOLE_ROUNDS[i].turns[turn].take[r.owes] - 1, more = nimmt_take(&r, r.owes, row, 0);
                CHECK(more > 0 && nimmt_check(&r) == 0);
                count = more > 0 ? count + more : -1;
            }
            CHECK(count == players && r.turn == turn + 1);
            CHECK(memcmp(r.rows, WHOLE_ROUNDS[i].turns[turn].after, sizeof r.rows) == 0);
            for (seat = 0; seat < players; seat++) {
                heads[seat] += WHOLE_ROUNDS[i].turns[turn].heads[seat];
                CHECK(r.heads[seat] == heads[seat]);
            }
        }
        CHECK(r.phase == NIMMT_OVER && bytes_are(r.hands, sizeof r.hands, 0));
    }
}

/* Refusals ------------------------------------------------------------------------------------------------------------ */

/* DEALS[0]: hands 2 3 8 .., 17 21 24 .., 28 33 53 .., 13 23 26 ..; rows 72 29 82 9. */
static void deal_known(nimmt_round *r) {
    deal(r, 4, 104, 0, 7, 0);
}

static void test_choose_refuses(void) {
    nimmt_round r;
    deal_known(&r);
    REFUSES(NIMMT_E_SEAT, nimmt_choose(&r, -1, 2));
    REFUSES(NIMMT_E_SEAT, nimmt_choose(&r, 4, 2));
    REFUSES(NIMMT_E_SEAT, nimmt_choose(&r, 256, 2));
    REFUSES(NIMMT_E_CARD, nimmt_choose(&r, 0, 0));
    REFUSES(NIMMT_E_CARD, nimmt_choose(&r, 0, -1));
    REFUSES(NIMMT_E_CARD, nimmt_choose(&r, 0, 105));
    REFUSES(NIMMT_E_CARD, nimmt_choose(&r, 0, 256 + 2));
    REFUSES(NIMMT_E_HELD, nimmt_choose(&r, 0, 17));
    REFUSES(NIMMT_E_HELD, nimmt_choose(&r, 0, 72));
    REFUSES(NIMMT_E_NOTHING, nimmt_withdraw(&r, 0));
    CHECK(nimmt_choose(&r, 0, 2) == 0);
    REFUSES(NIMMT_E_SAME, nimmt_choose(&r, 0, 2));
    REFUSES(NIMMT_E_SEAT, nimmt_withdraw(&r, -1));
    REFUSES(NIMMT_E_SEAT, nimmt_withdraw(&r, 4));
    REFUSES(NIMMT_E_MISSING, nimmt_resolve(&r, log_));
    CHECK(nimmt_choose(&r, 0, 3) == 0 && r.chosen[0] == 3); /* H5 */
    CHECK(nimmt_withdraw(&r, 0) == 0 && r.chosen[0] == 0);
    CHECK(nimmt_choose(&r, 0, 2) == 0 && nimmt_check(&r) == 0);
}

static void test_play_refuses(void) {
    static const struct {
        uint8_t cards[4];
        int code;
    } BAD[] = {
        {{0, 17, 28, 13}, NIMMT_E_CARD}, {{2, 17, 28, 105}, NIMMT_E_CARD}, {{2, 17, 255, 13}, NIMMT_E_CARD},
        {{2, 2, 28, 13}, NIMMT_E_HELD}, {{17, 2, 28, 13}, NIMMT_E_HELD}, {{2, 17, 28, 72}, NIMMT_E_HELD},
        {{1, 17, 28, 13}, NIMMT_E_HELD},
    };
    uint8_t good[4] = {2, 17, 28, 13};
    nimmt_round r;
    int i;
    deal_known(&r);
    CHECK(nimmt_choose(&r, 0, 3) == 0);
    for (i = 0; i < COUNT(BAD); i++) {
        REFUSES(BAD[i].code, nimmt_play(&r, BAD[i].cards, log_));
    }
    CHECK(nimmt_play(&r, good, log_) == 0 && r.phase == NIMMT_TAKE); /* the choice of 3 is replaced */
}

static void test_owing_refuses(void) {
    static const uint8_t CARDS[4] = {2, 17, 28, 13};
    nimmt_round r;
    deal_known(&r);
    REFUSES(NIMMT_E_PHASE, nimmt_take(&r, 0, 0, log_));
    REFUSES(NIMMT_E_PHASE, nimmt_policy_row(&r, NIMMT_LOWEST, 0));
    CHECK(nimmt_play(&r, CARDS, log_) == 0 && nimmt_check(&r) == 0);
    CHECK(r.phase == NIMMT_TAKE && r.owes == 0 && r.allowed == 15 && r.turn == 0);
    REFUSES(NIMMT_E_PHASE, nimmt_choose(&r, 0, 3));
    REFUSES(NIMMT_E_PHASE, nimmt_withdraw(&r, 0));
    REFUSES(NIMMT_E_PHASE, nimmt_resolve(&r, log_));
    REFUSES(NIMMT_E_PHASE, nimmt_play(&r, CARDS, log_));
    REFUSES(NIMMT_E_PHASE, nimmt_policy_card(&r, 0, NIMMT_LOWEST, 0));
    REFUSES(NIMMT_E_SEAT, nimmt_take(&r, -1, 0, log_));
    REFUSES(NIMMT_E_SEAT, nimmt_take(&r, 4, 0, log_));
    REFUSES(NIMMT_E_OWES, nimmt_take(&r, 1, 0, log_));
    REFUSES(NIMMT_E_ROW, nimmt_take(&r, 0, -1, log_));
    REFUSES(NIMMT_E_ROW, nimmt_take(&r, 0, 4, log_));
    REFUSES(NIMMT_E_ROW, nimmt_take(&r, 0, INT_MAX, log_));
    REFUSES(NIMMT_E_POLICY, nimmt_policy_row(&r, NIMMT_POLICIES, 0));
    REFUSES(NIMMT_E_POLICY, nimmt_policy_row(&r, -1, 0));
    CHECK(nimmt_take(&r, 0, 0, log_) == 4 && r.turn == 1 && r.heads[0] == 1);
    REFUSES(NIMMT_E_HELD, nimmt_choose(&r, 0, 2));
    REFUSES(NIMMT_E_HELD, nimmt_play(&r, CARDS, log_));
}

static void test_tie_refuses(void) {
    static const uint8_t OPEN[4] = {48, 52, 80, 90}, HANDS[20] = {50, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    static const uint8_t CARDS[2] = {50, 100};
    nimmt_round r;
    CHECK(nimmt_setup(&r, 2, 104, NIMMT_PROFESSIONAL, OPEN, HANDS) == 0);
    CHECK(nimmt_play(&r, CARDS, log_) == 0 && r.allowed == 3 && nimmt_check(&r) == 0);
    REFUSES(NIMMT_E_ROW, nimmt_take(&r, 0, 2, log_));
    REFUSES(NIMMT_E_OWES, nimmt_take(&r, 1, 0, log_));
    CHECK(nimmt_take(&r, 0, 1, log_) == 2 && log_[0].side == NIMMT_LEFT && r.rows[1][0] == 50 && r.rows[1][1] == 52);
}

static void test_over_refuses(void) {
    static const uint8_t CARDS[4] = {2, 17, 28, 13}, POLICIES[4] = {0, 0, 0, 0};
    nimmt_stream stream, twin;
    nimmt_round r;
    deal_known(&r);
    nimmt_stream_seed(&stream, 1, 0, 0, 0);
    CHECK(nimmt_playout(&r, POLICIES, &stream) == 0);
    CHECK(r.phase == NIMMT_OVER && r.turn == NIMMT_TURNS && nimmt_check(&r) == 0);
    twin = stream;
    REFUSES(NIMMT_E_PHASE, nimmt_choose(&r, 0, 2));
    REFUSES(NIMMT_E_PHASE, nimmt_withdraw(&r, 0));
    REFUSES(NIMMT_E_PHASE, nimmt_resolve(&r, log_));
    REFUSES(NIMMT_E_PHASE, nimmt_play(&r, CARDS, log_));
    REFUSES(NIMMT_E_PHASE, nimmt_take(&r, 0, 0, log_));
    REFUSES(NIMMT_E_PHASE, nimmt_policy_card(&r, 0, NIMMT_RANDOM, &stream));
    REFUSES(NIMMT_E_PHASE, nimmt_policy_row(&r, NIMMT_RANDOM_ROWS, &stream));
    REFUSES(0, nimmt_playout(&r, POLICIES, &stream));
    CHECK(memcmp(&stream, &twin, sizeof stream) == 0);
}

static void test_unknown_hands(void) {
    static const uint8_t OPEN[4] = {10, 20, 30, 40}, TURN[3] = {11, 21, 5}, TWICE[3] = {12, 12, 50}, POLICIES[3] = {1, 1, 1};
    nimmt_stream stream, twin;
    nimmt_round r;
    nimmt_stream_seed(&stream, 1, 0, 0, 0);
    twin = stream;
    CHECK(nimmt_setup(&r, 3, 60, 0, OPEN, 0) == 0);
    REFUSES(NIMMT_E_HELD, nimmt_choose(&r, 0, 10)); /* seen */
    REFUSES(NIMMT_E_CARD, nimmt_choose(&r, 0, 61));
    CHECK(nimmt_choose(&r, 0, 11) == 0 && nimmt_check(&r) == 0);
    REFUSES(NIMMT_E_HELD, nimmt_choose(&r, 1, 11)); /* another seat's */
    REFUSES(NIMMT_E_SAME, nimmt_choose(&r, 0, 11));
    REFUSES(NIMMT_E_HELD, nimmt_play(&r, TWICE, log_));
    REFUSES(NIMMT_E_POLICY, nimmt_policy_card(&r, 0, NIMMT_LOWEST, &stream));
    REFUSES(NIMMT_E_POLICY, nimmt_policy_card(&r, 0, NIMMT_RANDOM, &stream));
    REFUSES(NIMMT_E_POLICY, nimmt_playout(&r, POLICIES, &stream));
    CHECK(memcmp(&stream, &twin, sizeof stream) == 0);
    CHECK(nimmt_play(&r, TURN, log_) == 0 && r.owes == 2 && nimmt_check(&r) == 0);
    CHECK(nimmt_policy_row(&r, NIMMT_HIGHEST, 0) == 0);
    CHECK(nimmt_take(&r, 2, 3, log_) == 3 && r.turn == 1 && nimmt_check(&r) == 0);
    REFUSES(NIMMT_E_HELD, nimmt_choose(&r, 1, 40)); /* taken cards were seen, too */
    REFUSES(NIMMT_E_HELD, nimmt_choose(&r, 1, 5));
}

/* What nimmt_check says of a freshly dealt round in which one byte is another: right only where the round stays possible. */
static int possible(const nimmt_round *r, size_t offset, int value) {
    size_t chosen = offsetof(nimmt_round, chosen), hands = offsetof(nimmt_round, hands);
    int highest = 0, i, seat, place;
    for (i = 0; i < 100; i++) {
        highest = r->hands[i / 10][i % 10] > highest ? r->hands[i / 10][i % 10] : highest;
    }
    for (i = 0; i < NIMMT_ROWS; i++) {
        highest = r->rows[i][0] > highest ? r->rows[i][0] : highest;
    }
    if (offset == offsetof(nimmt_round, highest)) {
        return value >= highest && value <= NIMMT_CARDS;
    }
    if (offset == offsetof(nimmt_round, flags)) {
        return value < NIMMT_UNKNOWN_HANDS && (value & 6) != 6 && (value & 24) != 24;
    }
    if (offset >= chosen && offset < chosen + r->players) {
        return value == 0 || memchr(r->hands[offset - chosen], value, NIMMT_TURNS) != 0;
    }
    if (offset < hands || offset >= hands + 10u * r->players) {
        return 0;
    }
    seat = (int)(offset - hands) / 10;
    place = (int)(offset - hands) % 10;
    if (value > r->highest || value <= (place > 0 ? r->hands[seat][place - 1] : 0)) {
        return 0;
    }
    if (place < 9 && value >= r->hands[seat][place + 1]) {
        return 0;
    }
    for (i = 0; i < NIMMT_ROWS; i++) {
        if (r->rows[i][0] == value) {
            return 0;
        }
    }
    return memchr(r->hands, value, sizeof r->hands) == 0;
}

static void test_check_every_byte(void) {
    size_t offset;
    int value;
    nimmt_round r, s;
    deal_known(&r);
    for (offset = 0; offset < sizeof r; offset++) {
        for (value = 0; value < 256; value += quick && value > 8 ? 3 : 1) {
            int before = ((uint8_t *)&r)[offset], expected;
            s = r;
            ((uint8_t *)&s)[offset] = (uint8_t)value;
            expected = value == before || possible(&r, offset, value) ? 0 : NIMMT_E_STATE;
            CHECK(nimmt_check(&s) == expected);
        }
    }
    memset(&s, 0, sizeof s);
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    memset(&s, 255, sizeof s);
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
}

static void test_check_refuses(void) {
    static const struct {
        size_t offset;
        int value;
    } BAD[] = { /* in a round in which seat 0 owes a row for card 2 and 17 28 13 lie */
        {offsetof(nimmt_round, phase), NIMMT_CHOOSE}, {offsetof(nimmt_round, phase), NIMMT_OVER},
        {offsetof(nimmt_round, phase), 3}, {offsetof(nimmt_round, turn), 1}, {offsetof(nimmt_round, turn), 9},
        {offsetof(nimmt_round, turn), 10}, {offsetof(nimmt_round, turn), 255}, {offsetof(nimmt_round, owes), 1},
        {offsetof(nimmt_round, owes), 255}, {offsetof(nimmt_round, allowed), 0}, {offsetof(nimmt_round, allowed), 1},
        {offsetof(nimmt_round, allowed), 7}, {offsetof(nimmt_round, allowed), 31},
        {offsetof(nimmt_round, flags), NIMMT_PROFESSIONAL}, {offsetof(nimmt_round, chosen), 0},
        {offsetof(nimmt_round, chosen), 1}, {offsetof(nimmt_round, chosen), 3}, {offsetof(nimmt_round, chosen), 9},
        {offsetof(nimmt_round, chosen) + 1, 2}, {offsetof(nimmt_round, chosen) + 1, 0}, /* 17 seen, yet nowhere */
        {offsetof(nimmt_round, chosen) + 4, 18}, {offsetof(nimmt_round, heads), 1}, {offsetof(nimmt_round, heads) + 9, 1},
        {offsetof(nimmt_round, length), 0}, {offsetof(nimmt_round, length), 2}, {offsetof(nimmt_round, length), 255},
        {offsetof(nimmt_round, rows) + 1, 73}, {offsetof(nimmt_round, rows), 29}, {offsetof(nimmt_round, hands), 2},
    };
    static const uint8_t CARDS[4] = {2, 17, 28, 13};
    nimmt_round r, s;
    int i;
    deal_known(&r);
    CHECK(nimmt_play(&r, CARDS, 0) == 0 && nimmt_check(&r) == 0);
    for (i = 0; i < COUNT(BAD); i++) {
        s = r;
        ((uint8_t *)&s)[BAD[i].offset] = (uint8_t)BAD[i].value;
        CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    }
    s = r;
    s.chosen[4] = s.chosen[1]; /* the same cards lie, one of them for a fifth seat */
    s.chosen[1] = 0;
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    s = r;
    s.owes = 3; /* 13 lies and fits nowhere but beside 9, and 2 is lower */
    s.allowed = 8;
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    s.owes = 0;
    s.chosen[0] = 13;
    s.chosen[3] = 2;
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    s.owes = 3;
    s.allowed = 15;
    CHECK(nimmt_check(&s) == 0); /* who chose which of the cards that lie is not written elsewhere */
    CHECK(nimmt_take(&r, 0, 0, 0) == 4 && r.heads[0] == 1 && nimmt_check(&r) == 0);
    s = r;
    s.heads[0] = 0;
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    s.heads[3] = 1;
    CHECK(nimmt_check(&s) == 0);
    s.heads[3] = 0;
    s.heads[4] = 1; /* the right sum, but there are four seats */
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
}

/* Positions with a fault that only the whole shows, each made from one without. */
static void test_check_the_whole(void) {
    static const uint8_t OPEN[4] = {1, 10, 20, 30}, FULL[5] = {2, 3, 4, 5, 6}, POLICIES[4] = {0, 0, 0, 0};
    nimmt_stream stream;
    nimmt_round r, s;
    int i;
    CHECK(nimmt_setup(&r, 2, 104, 0, OPEN, 0) == 0);
    memcpy(r.rows[0], FULL, sizeof FULL); /* cards seen in any order: a position from a real table */
    r.length[0] = 5;
    r.seen[0] |= 62;
    r.heads[1] = 1; /* for the 1 */
    CHECK(nimmt_check(&r) == 0);
    s = r;
    s.length[0] = 6;
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    for (i = 0; i < 64; i++) { /* cards lie, but the lowest has only one row to go to */
        s = r;
        s.phase = NIMMT_TAKE;
        s.allowed = (uint8_t)(i / 4);
        s.chosen[0] = (uint8_t)(i % 4 ? 10 * (i % 4) + 1 : 7);
        s.chosen[1] = 40;
        s.seen[(s.chosen[0] - 1) / 8] |= (uint8_t)(1 << (s.chosen[0] - 1) % 8);
        s.seen[39 / 8] |= 1 << 39 % 8;
        CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    }
    s = r;
    s.length[3] = 0;
    s.rows[3][0] = 0;
    s.heads[0] = 3; /* an empty row, its card paid for */
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    CHECK(nimmt_setup(&r, 2, 24, 0, DEALS[6].open, 0) == 0 && nimmt_check(&r) == 0);
    s = r;
    s.seen[0] |= 2; /* too few cards are left for the hands */
    s.heads[0] = 1;
    CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    for (i = 24; i < 104; i++) { /* cards that the deck does not have */
        s = r;
        s.seen[i / 8] = (uint8_t)(s.seen[i / 8] | 1 << i % 8);
        CHECK(nimmt_check(&s) == NIMMT_E_STATE);
        s.heads[0] = (uint8_t)nimmt_bull_heads(i + 1);
        CHECK(nimmt_check(&s) == NIMMT_E_STATE);
        s = r;
        s.chosen[1] = (uint8_t)(i + 1);
        CHECK(nimmt_check(&s) == NIMMT_E_STATE);
    }
    deal_known(&r);
    nimmt_stream_seed(&stream, 1, 0, 0, 0);
    CHECK(nimmt_playout(&r, POLICIES, &stream) == 0 && nimmt_check(&r) == 0);
    for (i = 0; i < 256; i++) { /* after the last turn there is nothing else it could be */
        s = r;
        s.phase = (uint8_t)i;
        CHECK(nimmt_check(&s) == (i == NIMMT_OVER ? 0 : NIMMT_E_STATE));
        s = r;
        s.turn = (uint8_t)i;
        CHECK(nimmt_check(&s) == (i == NIMMT_TURNS ? 0 : NIMMT_E_STATE));
        s = r;
        s.flags = NIMMT_UNKNOWN_HANDS;
        s.chosen[2] = (uint8_t)i;
        CHECK(nimmt_check(&s) == (i == 0 ? 0 : NIMMT_E_STATE));
    }
}

/* Policies ------------------------------------------------------------------------------------------------------------ */

static void test_policies(void) {
    /* Ends 30 (full), 50, 70, 90 and a hand of seat 0; the answer of NIMMT_NEAREST without and with professional. */
    static const uint8_t HANDS[][10] = {
        {31, 53, 74, 95, 96, 97, 98, 99, 100, 101}, /* 31 is nearest, but its row is full */
        {1, 2, 3, 4, 5, 6, 7, 8, 9, 11},            /* 11 to the full row, others low; left of 50 */
        {31, 32, 33, 34, 35, 36, 37, 38, 39, 40},   /* all to the full row: the lowest */
        {35, 52, 72, 92, 93, 94, 95, 96, 97, 98},   /* equal distances: the lower card */
        {31, 49, 69, 73, 88, 101, 102, 103, 104, 99},
    };
    static const uint8_t BASE[] = {53, 1, 31, 52, 73}, PRO[] = {53, 11, 40, 52, 49};
    static const uint8_t FULL[5] = {10, 15, 20, 25, 30};
    uint8_t hands[20], open[4] = {10, 50, 70, 90};
    nimmt_stream stream, twin;
    nimmt_round r;
    int i, j, pro;
    for (i = 0; i < 2 * COUNT(HANDS); i++) {
        pro = i & 1;
        memcpy(hands, HANDS[i / 2], 10);
        for (j = 0; j < 10; j++) {
            hands[10 + j] = (uint8_t)(54 + j);
        }
        CHECK(nimmt_setup(&r, 2, 104, pro ? NIMMT_PROFESSIONAL : 0, open, hands) == 0);
        memcpy(r.rows[0], FULL, 5); /* four cards more than in any round, but policies see only rows and hands */
        r.length[0] = 5;
        CHECK(nimmt_policy_card(&r, 0, NIMMT_NEAREST, 0) == (pro ? PRO : BASE)[i / 2]);
        CHECK(nimmt_policy_card(&r, 0, NIMMT_LOWEST, 0) == r.hands[0][0]);
        CHECK(nimmt_policy_card(&r, 0, NIMMT_HIGHEST, 0) == r.hands[0][9]);
    }
    deal_known(&r);
    nimmt_stream_seed(&stream, 5, 5, 5, 5);
    twin = stream;
    REFUSES(NIMMT_E_SEAT, nimmt_policy_card(&r, -1, NIMMT_RANDOM, &stream));
    REFUSES(NIMMT_E_SEAT, nimmt_policy_card(&r, 4, NIMMT_RANDOM, &stream));
    REFUSES(NIMMT_E_POLICY, nimmt_policy_card(&r, 0, NIMMT_POLICIES, &stream));
    REFUSES(NIMMT_E_POLICY, nimmt_policy_card(&r, 0, -1, &stream));
    for (i = 0; i < 5; i++) {
        uint8_t policies[4] = {0, 1, 2, 3};
        policies[i % 4] = (uint8_t)(i == 4 ? 255 : NIMMT_POLICIES);
        REFUSES(NIMMT_E_POLICY, nimmt_playout(&r, policies, &stream));
    }
    CHECK(memcmp(&stream, &twin, sizeof stream) == 0);
    for (i = 0; i < 40; i++) {
        int policy = i & 1 ? NIMMT_RANDOM : NIMMT_RANDOM_ROWS;
        CHECK(nimmt_policy_card(&r, i % 4, policy, &stream) == r.hands[i % 4][nimmt_stream_below(&twin, 10)]);
    }
}

static void test_policy_rows(void) {
    static const uint8_t TIE[4][5] = {{10}, {48}, {80}, {52}}, TIED[1] = {50}, LOW[1] = {5};
    nimmt_stream stream, twin;
    nimmt_round tie, low;
    int i;
    lay(&tie, NIMMT_PROFESSIONAL, TIE[0], TIED, 1);
    lay(&low, 0, TIE[0], LOW, 1);
    CHECK(nimmt_policy_row(&low, NIMMT_RANDOM_ROWS, 0) == NIMMT_E_PHASE); /* not owed yet */
    CHECK(nimmt_resolve(&tie, 0) == 0 && nimmt_resolve(&low, 0) == 0);
    nimmt_stream_seed(&stream, 6, 6, 6, 6);
    twin = stream;
    for (i = 0; i < 50; i++) {
        CHECK(nimmt_policy_row(&tie, NIMMT_RANDOM_ROWS, &stream) == (nimmt_stream_below(&twin, 2) ? 3 : 1));
        CHECK(nimmt_policy_row(&low, NIMMT_RANDOM_ROWS, &stream) == (int)nimmt_stream_below(&twin, 4));
        CHECK(nimmt_policy_row(&low, NIMMT_RANDOM, 0) == 1 && nimmt_policy_row(&tie, NIMMT_NEAREST, 0) == 1);
    }
    CHECK(memcmp(&stream, &twin, sizeof stream) == 0);
}

static void test_random_rounds(void) {
    int i;
    for (i = 0; i < COUNT(ROUNDS); i++) {
        uint8_t policies[10];
        nimmt_stream stream;
        nimmt_round r;
        memset(policies, ROUNDS[i].policy, sizeof policies);
        nimmt_stream_seed(&stream, ROUNDS[i].seed, ROUNDS[i].game, ROUNDS[i].round, 0);
        CHECK(nimmt_deal(&r, ROUNDS[i].players, ROUNDS[i].highest, 0, &stream) == 0);
        CHECK(nimmt_playout(&r, policies, &stream) == 0 && nimmt_check(&r) == 0);
        CHECK(memcmp(r.heads, ROUNDS[i].heads, sizeof r.heads) == 0);
        CHECK(memcmp(r.rows, ROUNDS[i].rows, sizeof r.rows) == 0);
    }
}

/* One turn by the public calls: the cards of the policies chosen in any order of seats, then the rows as they are owed. */
static void turn_by_hand(nimmt_round *r, const uint8_t *policies, nimmt_stream *stream, int turned) {
    uint8_t cards[NIMMT_SEATS];
    int seat, n = r->players;
    for (seat = 0; seat < n && r->phase == NIMMT_CHOOSE; seat++) {
        cards[seat] = r->chosen[seat];
        if (!cards[seat]) {
            cards[seat] = (uint8_t)nimmt_policy_card(r, seat, policies[seat], stream);
        }
    }
    if (r->phase == NIMMT_CHOOSE) {
        nimmt_round whole = *r;
        for (seat = 0; seat < n; seat++) {
            int s = (seat * (turned ? n - 1 : 1) + turned) % n, code = nimmt_choose(r, s, cards[s]);
            CHECK(code == 0 || code == NIMMT_E_SAME);
        }
        CHECK(nimmt_play(&whole, cards, 0) == nimmt_resolve(r, 0));
        CHECK(same(r, &whole));
    }
    while (r->phase == NIMMT_TAKE) {
        CHECK(nimmt_take(r, r->owes, nimmt_policy_row(r, policies[r->owes], stream), 0) > 0);
    }
}

/* nimmt_playout from any moment of a round gives the bytes that single calls give, and draws as often. */
static void test_playout(void) {
    int game, seat, games = quick ? 500 : 3000;
    for (game = 0; game < games; game++) {
        uint8_t policies[NIMMT_SEATS];
        nimmt_stream stream, twin;
        nimmt_round r, s;
        int players = 2 + roll(9), stop = roll(11);
        nimmt_stream_seed(&stream, 21, (uint64_t)game, 0, 0);
        CHECK(nimmt_deal(&r, players, roll_highest(players), roll_flags(), &stream) == 0);
        for (seat = 0; seat < players; seat++) {
            policies[seat] = (uint8_t)roll(NIMMT_POLICIES);
        }
        while (r.turn < stop) {
            turn_by_hand(&r, policies, &stream, roll(2));
        }
        for (seat = 0; seat < players && r.phase == NIMMT_CHOOSE; seat++) { /* some have chosen, sometimes all */
            if (game & 1 && (game & 2 || roll(2))) {
                CHECK(nimmt_choose(&r, seat, r.hands[seat][roll(10 - r.turn)]) == 0);
            }
        }
        if (game & 2 && game & 1 && r.phase == NIMMT_CHOOSE) {
            CHECK(nimmt_resolve(&r, 0) >= 0); /* and a row may be owed */
        }
        s = r;
        twin = stream;
        CHECK(nimmt_playout(&s, policies, &twin) == 0);
        while (r.phase != NIMMT_OVER) {
            turn_by_hand(&r, policies, &stream, roll(2));
        }
        CHECK(same(&r, &s) && memcmp(&stream, &twin, sizeof stream) == 0);
    }
}

/* Conservation: where every card is, followed from the calls' results and compared with the bytes ---------------------- */

enum { HAND = 0, ROW = 20, PILE = 40, LYING = 60, AWAY = 61 }; /* + seat, row, seat */

typedef struct follower {
    nimmt_round r;
    uint8_t where[NIMMT_CARDS + 1];
    int heads[NIMMT_SEATS];
} follower;

static void follow_from_here(follower *f) {
    int i;
    memset(f->where, AWAY, sizeof f->where);
    memset(f->heads, 0, sizeof f->heads);
    for (i = 0; i < 100; i++) {
        f->where[f->r.hands[i / 10][i % 10]] = (uint8_t)(HAND + i / 10);
    }
    for (i = 0; i < NIMMT_ROWS; i++) {
        f->where[f->r.rows[i][0]] = (uint8_t)(ROW + i);
    }
}

/* The cards of all seats were shown: `r` as it was before. */
static void follow_shown(follower *f, const uint8_t *cards) {
    int seat;
    for (seat = 0; seat < f->r.players; seat++) {
        CHECK(f->where[cards[seat]] == (f->r.flags & NIMMT_UNKNOWN_HANDS ? AWAY : HAND + seat));
        f->where[cards[seat]] = LYING;
    }
}

static void follow_placed(follower *f, const nimmt_placed *log, int count) {
    int i, j;
    for (i = 0; i < count; i++) {
        CHECK(f->where[log[i].card] == LYING);
        CHECK(log[i].side == NIMMT_TOOK ? log[i].taken[0] != 0 : log[i].taken[0] == 0 || log[i].taken[4] != 0);
        for (j = 0; j < 5 && log[i].taken[j]; j++) {
            CHECK(f->where[log[i].taken[j]] == ROW + log[i].row);
            f->where[log[i].taken[j]] = (uint8_t)(PILE + log[i].seat);
            f->heads[log[i].seat] += nimmt_bull_heads(log[i].taken[j]);
        }
        f->where[log[i].card] = (uint8_t)(ROW + log[i].row);
    }
}

static void found(uint8_t *where, int card, int place) {
    CHECK(card >= 1 && card <= NIMMT_CARDS && where[card] == 0xFF);
    where[card] = (uint8_t)place;
}

static void compare(const follower *f) {
    const nimmt_round *r = &f->r;
    uint8_t where[256];
    int i, j, card, held = r->flags & NIMMT_UNKNOWN_HANDS ? 0 : 10 - r->turn - (r->phase == NIMMT_TAKE);
    CHECK(nimmt_check(r) == 0);
    memset(where, 0xFF, sizeof where);
    for (i = 0; i < r->players; i++) {
        CHECK(r->heads[i] == f->heads[i]);
        for (j = 0; j < held; j++) {
            found(where, r->hands[i][j], HAND + i);
        }
        if (r->chosen[i] && r->phase == NIMMT_TAKE) {
            found(where, r->chosen[i], LYING);
        }
    }
    for (i = 0; i < NIMMT_ROWS; i++) {
        for (j = 0; j < r->length[i] && j < 5; j++) {
            found(where, r->rows[i][j], ROW + i);
        }
    }
    for (card = 1; card <= NIMMT_CARDS; card++) {
        int seen = r->seen[(card - 1) / 8] >> (card - 1) % 8 & 1;
        CHECK(where[card] == f->where[card] || (where[card] == 0xFF && f->where[card] >= PILE && f->where[card] != LYING));
        CHECK(seen == (f->where[card] >= ROW && f->where[card] != AWAY));
    }
}

/* What the header says of a call, from the follower's knowledge. */
static int may_choose(const follower *f, int seat, int card) {
    int other;
    if (f->r.phase != NIMMT_CHOOSE) {
        return NIMMT_E_PHASE;
    }
    if (seat < 0 || seat >= f->r.players) {
        return NIMMT_E_SEAT;
    }
    if (card < 1 || card > f->r.highest) {
        return NIMMT_E_CARD;
    }
    if (f->where[card] != (f->r.flags & NIMMT_UNKNOWN_HANDS ? AWAY : HAND + seat)) {
        return NIMMT_E_HELD;
    }
    for (other = 0; other < f->r.players; other++) {
        if (f->r.chosen[other] == card) {
            return other == seat ? NIMMT_E_SAME : NIMMT_E_HELD;
        }
    }
    return 0;
}

static int may_take(const follower *f, int seat, int row) {
    if (f->r.phase != NIMMT_TAKE) {
        return NIMMT_E_PHASE;
    }
    if (seat < 0 || seat >= f->r.players) {
        return NIMMT_E_SEAT;
    }
    if (seat != f->r.owes) {
        return NIMMT_E_OWES;
    }
    return row < 0 || row >= NIMMT_ROWS || !(f->r.allowed & 1 << row) ? NIMMT_E_ROW : 0;
}

static int may_resolve(const follower *f) {
    return f->r.phase != NIMMT_CHOOSE ? NIMMT_E_PHASE : memchr(f->r.chosen, 0, f->r.players) ? NIMMT_E_MISSING : 0;
}

/* Cards for all seats, mostly legal ones; returns what nimmt_play must say of them. */
static int roll_cards(const follower *f, uint8_t *cards) {
    int seat, other, tries;
    for (seat = 0; seat < f->r.players; seat++) {
        for (tries = 0; tries < 1000; tries++) {
            cards[seat] = (uint8_t)(f->r.flags & NIMMT_UNKNOWN_HANDS ? 1 + roll(f->r.highest) : f->r.hands[seat][roll(10)]);
            if (f->where[cards[seat]] <= LYING && f->r.flags & NIMMT_UNKNOWN_HANDS) {
                continue;
            }
            if (cards[seat] && !memchr(cards, cards[seat], (size_t)seat)) {
                break;
            }
        }
    }
    if (roll(8) == 0) {
        cards[roll(f->r.players)] = (uint8_t)roll(107);
    }
    for (seat = 0; seat < f->r.players; seat++) {
        follower alone = *f;
        memset(alone.r.chosen, 0, sizeof alone.r.chosen);
        for (other = 0; other < seat; other++) {
            alone.r.chosen[other] = cards[other];
        }
        if (may_choose(&alone, seat, cards[seat])) {
            return may_choose(&alone, seat, cards[seat]);
        }
    }
    return 0;
}

/* One call, legal or not; everything that must hold afterwards. Returns whether it was accepted. */
static int random_call(follower *f) {
    nimmt_round before = f->r;
    uint8_t cards[NIMMT_SEATS];
    int seat = roll(20) ? roll(f->r.players) : roll(14) - 2, card, row, expected, code, placed = 1;
    memset(log_, 0, sizeof log_);
    switch (roll(8)) {
    case 0:
    case 1:
    case 2:
        card = roll(5) && seat >= 0 && seat < 10 && f->r.hands[seat][0] ? f->r.hands[seat][roll(10)] : roll(108) - 1;
        expected = may_choose(f, seat, card);
        code = nimmt_choose(&f->r, seat, card);
        placed = 0;
        break;
    case 3:
        expected = f->r.phase != NIMMT_CHOOSE ? NIMMT_E_PHASE : seat < 0 || seat >= f->r.players ? NIMMT_E_SEAT :
                   f->r.chosen[seat] == 0 ? NIMMT_E_NOTHING : 0;
        code = nimmt_withdraw(&f->r, seat);
        placed = 0;
        break;
    case 4:
        expected = may_resolve(f);
        code = nimmt_resolve(&f->r, log_);
        memcpy(cards, before.chosen, sizeof cards);
        break;
    case 5:
        expected = roll_cards(f, cards);
        code = nimmt_play(&f->r, cards, log_);
        break;
    default:
        seat = roll(2) ? f->r.owes : seat;
        row = roll(6) - 1;
        expected = may_take(f, seat, row);
        code = nimmt_take(&f->r, seat, row, log_);
        break;
    }
    CHECK(expected < 0 ? code == expected : code >= 0);
    if (code < 0) {
        CHECK(same(&before, &f->r) && bytes_are(log_, sizeof log_, 0));
        return 0;
    }
    CHECK(code <= (placed ? f->r.players : 0));
    if (placed && before.phase == NIMMT_CHOOSE) {
        follow_shown(f, cards);
    }
    follow_placed(f, log_, code);
    compare(f);
    return 1;
}

static void test_conservation(void) {
    int game, games = quick ? 500 : 10000, calls = 0, accepted = 0, i;
    for (game = 0; game < games && !wrong; game++) {
        int players = 2 + game % 9;
        follower f;
        deal(&f.r, players, roll_highest(players), roll_flags(), 99, (uint64_t)game);
        if (roll(4) == 0) {
            nimmt_round known = f.r;
            uint8_t open[4];
            for (i = 0; i < NIMMT_ROWS; i++) {
                open[i] = known.rows[i][0];
            }
            CHECK(nimmt_setup(&f.r, players, known.highest, known.flags, open, 0) == 0);
        }
        follow_from_here(&f);
        compare(&f);
        for (i = 0; f.r.phase != NIMMT_OVER && i < 5000; i++) {
            accepted += random_call(&f);
        }
        calls += i;
        CHECK(f.r.phase == NIMMT_OVER && f.r.turn == NIMMT_TURNS);
        for (i = 0; i < 5; i++) {
            CHECK(random_call(&f) == 0);
        }
    }
    snprintf(note, sizeof note, "%d games, %d calls, %d accepted", games, calls, accepted);
}

/* Many rounds --------------------------------------------------------------------------------------------------------- */

/* Four seats of a policy: bull heads a round and seat, within four standard errors of the known mean. */
static void mean_heads(int policy, double known) {
    long rounds = quick ? 20000 : 1000000, i;
    double sum = 0, squares = 0, mean, error;
    uint8_t policies[4];
    memset(policies, policy, sizeof policies);
    for (i = 0; i < rounds; i++) {
        nimmt_stream stream;
        nimmt_round r;
        int heads;
        nimmt_stream_seed(&stream, 1, (uint64_t)i, 0, 0);
        nimmt_deal(&r, 4, NIMMT_CARDS, 0, &stream);
        nimmt_playout(&r, policies, &stream);
        heads = r.heads[0] + r.heads[1] + r.heads[2] + r.heads[3];
        sum += heads;
        squares += (double)heads * heads;
    }
    mean = sum / (double)rounds;
    error = (mean - 4 * known) * (mean - 4 * known);
    CHECK(error <= 16 * (squares / (double)rounds - mean * mean) / (double)rounds);
    snprintf(note, sizeof note, "%.4f of %.3f in %ld rounds", mean / 4, known, rounds);
}

static void test_mean_cheapest(void) {
    mean_heads(NIMMT_RANDOM, 12.124);
}

static void test_mean_random_rows(void) {
    mean_heads(NIMMT_RANDOM_ROWS, 13.341);
}

static uint64_t hash(uint64_t digest, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    for (; size; size--) {
        digest = (digest ^ *b++) * UINT64_C(0x100000001B3);
    }
    return digest;
}

/* The next turn of game number `game` through the single calls; every state and placement goes into the digest. */
static uint64_t digest_turn(uint64_t digest, nimmt_round *r, int game, nimmt_stream *stream) {
    int seat, card, count;
    for (seat = 0; seat < r->players; seat++) {
        if (r->flags & NIMMT_UNKNOWN_HANDS) {
            card = 1 + (int)nimmt_stream_below(stream, r->highest);
            while (nimmt_choose(r, seat, card) != 0) {
                card = card % r->highest + 1;
            }
        } else {
            card = nimmt_policy_card(r, seat, (game + seat) % NIMMT_POLICIES, stream);
            CHECK(nimmt_choose(r, seat, card) == 0);
        }
        digest = hash(digest, r, sizeof *r);
    }
    count = nimmt_resolve(r, log_);
    for (;;) {
        CHECK(count >= 0 && nimmt_check(r) == 0);
        digest = hash(hash(digest, log_, (size_t)(count > 0 ? count : 0) * sizeof *log_), r, sizeof *r);
        if (r->phase != NIMMT_TAKE) {
            return digest;
        }
        count = nimmt_take(r, r->owes, nimmt_policy_row(r, (game + r->owes) % NIMMT_POLICIES, stream), log_);
    }
}

static void test_digest(void) {
    static const int FLAGS[] = {0, 1, 3, 5, 8, 9, 11, 13, 16, 17, 19, 21};
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    int game, i;
    for (game = 0; game < 2000; game++) {
        int players = 2 + game % 9, highest = game / 9 % 2 ? NIMMT_CARDS : 10 * players + 4;
        nimmt_stream stream;
        nimmt_round r;
        nimmt_stream_seed(&stream, UINT64_C(0x0123456789ABCDEF), (uint64_t)game << 30, (uint32_t)game, 0);
        CHECK(nimmt_deal(&r, players, highest, FLAGS[game % COUNT(FLAGS)], &stream) == 0);
        if (game % 7 == 0) {
            uint8_t open[4];
            for (i = 0; i < NIMMT_ROWS; i++) {
                open[i] = r.rows[i][0];
            }
            CHECK(nimmt_setup(&r, players, highest, r.flags, open, 0) == 0);
        }
        digest = hash(digest, &r, sizeof r);
        while (r.phase != NIMMT_OVER && !wrong) {
            digest = digest_turn(digest, &r, game, &stream);
        }
        digest = hash(digest, &r, sizeof r);
    }
    CHECK(digest == DIGEST);
    snprintf(note, sizeof note, "%08lx%08lx", (unsigned long)(digest >> 32), (unsigned long)(digest & 0xFFFFFFFFu));
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } TESTS[] = {
        {"layout of the structs", test_layout},
        {"bull heads", test_bull_heads},
        {"published vectors of the primitives", test_primitives},
        {"streams", test_streams},
        {"below, at the borders", test_below},
        {"below, evenly", test_below_is_fair},
        {"deals", test_deals},
        {"setup", test_setup},
        {"setup and deal refuse", test_setup_refuses},
        {"positions", test_positions},
        {"taking rows of every length", test_taking},
        {"cheapest row", test_cheapest},
        {"whole rounds", test_whole_rounds},
        {"choose, withdraw and resolve refuse", test_choose_refuses},
        {"play refuses", test_play_refuses},
        {"refusals while a row is owed", test_owing_refuses},
        {"refusals in a tie", test_tie_refuses},
        {"refusals after the round", test_over_refuses},
        {"unknown hands", test_unknown_hands},
        {"check of every value of every byte", test_check_every_byte},
        {"check refuses", test_check_refuses},
        {"check of the whole", test_check_the_whole},
        {"policies: cards", test_policies},
        {"policies: rows", test_policy_rows},
        {"random rounds", test_random_rounds},
        {"playout is the single calls", test_playout},
        {"conservation", test_conservation},
        {"mean heads, cheapest row", test_mean_cheapest},
        {"mean heads, random row", test_mean_random_rows},
        {"digest", test_digest},
    };
    int i, failed = 0;
    quick = quick || (argc > 1 && strcmp(argv[1], "quick") == 0);
    for (i = 0; i < COUNT(TESTS); i++) {
        wrong = 0;
        note[0] = 0;
        TESTS[i].run();
        failed += wrong > 0;
        printf("%-6s  %s%s%s\n", wrong ? "FAILED" : "ok", TESTS[i].name, note[0] ? ": " : "", note);
        fflush(stdout);
    }
    printf("%d passed, %d failed\n", COUNT(TESTS) - failed, failed);
    return failed > 0;
}
