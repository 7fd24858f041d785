/*
 * Fuzz harness for nimmt.c: any bytes as a saved state, as the arguments of a setup, as moves; aborts on whatever must not
 * happen. Stand-alone it makes its own inputs, a bounded number of them:
 *     cc -Icsrc tests/c/fuzz.c csrc/nimmt.c && ./a.out COUNT SEED
 * With libFuzzer: clang -fsanitize=fuzzer,address,undefined -DNIMMT_LIBFUZZER -Icsrc tests/c/fuzz.c csrc/nimmt.c
 */
#include "nimmt.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition) \
    do { \
        if (!(condition)) { \
            fail(#condition, __LINE__); \
        } \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STATE, SETUP, DEAL, MODES };

typedef struct input {
    const uint8_t *data;
    size_t size, at;
} input;

static input in;
static unsigned long accepted, refused, finished; /* states and setups, rounds played to their end */

static void fail(const char *what, int line) {
    size_t i;
    fprintf(stderr, "fuzz.c:%d: %s\ninput: ", line, what);
    for (i = 0; i < in.size; i++) {
        fprintf(stderr, "%02x", in.data[i]);
    }
    fprintf(stderr, "\n");
    abort();
}

static uint8_t byte(void) {
    return in.at < in.size ? in.data[in.at++] : 0;
}

static void bytes(void *out, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) {
        ((uint8_t *)out)[i] = byte();
    }
}

/* A small number, a bit below 0 or above what is allowed now and then, rarely one that only a wide int can hold. */
static int number(void) {
    int b = byte();
    switch (b) {
    case 255:
        return INT_MAX;
    case 254:
        return INT_MIN;
    case 253:
        return 256 + byte();
    case 252:
        return -byte();
    default:
        return b;
    }
}

static int holds_bits(const uint8_t *more, const uint8_t *fewer, size_t size) {
    while (size && (fewer[size - 1] & ~more[size - 1]) == 0) {
        size--;
    }
    return size == 0;
}

/* What must be so after any call that gave `code` and may have placed cards. */
static void judge(const nimmt_round *before, const nimmt_round *r, int code, const nimmt_placed *log, int places) {
    int i, j, most = places ? r->players : 0;
    MUST(nimmt_check(r) == 0);
    MUST(code >= NIMMT_E_NOTHING && code <= most);
    for (i = code > 0 ? code : 0; i < NIMMT_SEATS; i++) {
        MUST(log[i].seat == 0xA5 && log[i].card == 0xA5 && log[i].taken[4] == 0xA5);
    }
    if (code < 0) {
        MUST(memcmp(before, r, sizeof *r) == 0);
        return;
    }
    MUST(r->players == before->players && r->highest == before->highest && r->flags == before->flags);
    MUST(r->turn == before->turn || r->turn == before->turn + 1);
    MUST(holds_bits(r->seen, before->seen, sizeof r->seen));
    for (i = 0; i < code; i++) {
        MUST(log[i].seat < r->players && log[i].card >= 1 && log[i].card <= r->highest && log[i].row < NIMMT_ROWS);
        MUST(log[i].side <= NIMMT_LEFT && (i == 0 || log[i].card > log[i - 1].card));
        MUST(log[i].side != NIMMT_LEFT || r->flags & NIMMT_PROFESSIONAL);
        MUST(log[i].side != NIMMT_TOOK || (i == 0 && log[i].taken[0]));
        for (j = 0; j < NIMMT_LONGEST; j++) {
            MUST(log[i].taken[j] <= r->highest && log[i].taken[j] != log[i].card);
        }
    }
}

/* The lowest card that this seat may choose and no other seat has. */
static uint8_t free_card(const nimmt_round *r, int seat) {
    nimmt_round copy = *r;
    int card;
    for (card = 1; card <= r->highest; card++) {
        if (nimmt_choose(&copy, seat, card) >= 0) {
            return (uint8_t)card;
        }
    }
    return r->chosen[seat];
}

/* One call that the input decides, sometimes made legal so that rounds get on. */
static void move(nimmt_round *r, nimmt_stream *stream) {
    nimmt_round before = *r;
    nimmt_placed log[NIMMT_SEATS];
    uint8_t cards[NIMMT_SEATS];
    int seat, code = 0, places = 0;
    memset(log, 0xA5, sizeof log);
    switch (byte() & 7) {
    case 0:
        seat = number();
        code = nimmt_choose(r, seat, number());
        break;
    case 1:
        for (seat = 0; seat < r->players; seat++) {
            if (!r->chosen[seat]) {
                code = nimmt_choose(r, seat, free_card(r, seat));
                MUST(code == (r->phase == NIMMT_CHOOSE ? 0 : NIMMT_E_PHASE));
            }
        }
        code = 0;
        break;
    case 2:
        code = nimmt_withdraw(r, number());
        break;
    case 3:
        code = nimmt_resolve(r, log);
        places = 1;
        break;
    case 4:
        bytes(cards, sizeof cards);
        code = nimmt_play(r, cards, log);
        places = 1;
        break;
    case 5:
        seat = number();
        code = nimmt_take(r, seat, number(), log);
        places = 1;
        break;
    case 6:
        seat = r->owes;
        code = nimmt_take(r, seat, nimmt_policy_row(r, byte() % NIMMT_POLICIES, stream), log);
        MUST(code > 0 ? before.phase == NIMMT_TAKE : before.phase != NIMMT_TAKE);
        places = 1;
        break;
    default:
        seat = number();
        code = nimmt_policy_card(r, seat, number(), stream);
        MUST(code < 0 || memchr(r->hands[seat], code, NIMMT_TURNS));
        code = nimmt_policy_row(r, number(), stream);
        MUST(code < 0 || r->allowed >> code & 1);
        MUST(memcmp(&before, r, sizeof before) == 0);
        code = 0;
        break;
    }
    judge(&before, r, code, log, places);
}

/* Plays on to the end by policies, or by the lowest cards that may be if the hands are unknown. */
static void finish(nimmt_round *r, nimmt_stream *stream) {
    uint8_t policies[NIMMT_SEATS];
    int seat;
    while (r->flags & NIMMT_UNKNOWN_HANDS && r->phase != NIMMT_OVER) {
        for (seat = 0; seat < r->players && r->phase == NIMMT_CHOOSE; seat++) {
            MUST(r->chosen[seat] || nimmt_choose(r, seat, free_card(r, seat)) == 0);
        }
        MUST(r->phase == NIMMT_TAKE || nimmt_resolve(r, 0) >= 0);
        if (r->phase == NIMMT_TAKE) {
            MUST(nimmt_take(r, r->owes, nimmt_policy_row(r, NIMMT_LOWEST, 0), 0) > 0);
        }
        MUST(nimmt_check(r) == 0);
    }
    bytes(policies, sizeof policies);
    for (seat = 0; seat < NIMMT_SEATS; seat++) {
        policies[seat] %= NIMMT_POLICIES;
    }
    MUST(nimmt_playout(r, policies, stream) == (r->flags & NIMMT_UNKNOWN_HANDS ? NIMMT_E_POLICY : 0));
    MUST(r->phase == NIMMT_OVER && r->turn == NIMMT_TURNS && nimmt_check(r) == 0);
    finished++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t open[4], hands[NIMMT_SEATS * NIMMT_TURNS];
    nimmt_stream stream;
    nimmt_round r, before;
    int code, players, highest;
    in.data = data;
    in.size = size;
    in.at = 0;
    memset(&before, 0x5A, sizeof before);
    r = before;
    nimmt_stream_seed(&stream, size, size ? data[size - 1] : 0, 0, 1);
    switch (byte() % MODES) {
    case STATE:
        bytes(&r, sizeof r);
        before = r;
        code = nimmt_check(&r);
        MUST(memcmp(&before, &r, sizeof r) == 0);
        break;
    case SETUP:
        players = number();
        highest = number();
        bytes(open, sizeof open);
        bytes(hands, sizeof hands);
        code = nimmt_setup(&r, players, highest, number(), open, byte() & 1 ? hands : 0);
        break;
    default:
        players = number();
        highest = number();
        code = nimmt_deal(&r, players, highest, number(), &stream);
        break;
    }
    if (code != 0) {
        MUST(code == NIMMT_E_STATE && memcmp(&before, &r, sizeof r) == 0);
        refused++;
        return 0;
    }
    MUST(nimmt_check(&r) == 0);
    accepted++;
    while (in.at < in.size) {
        move(&r, &stream);
    }
    finish(&r, &stream);
    return 0;
}

#ifndef NIMMT_LIBFUZZER

static uint64_t dice;

static unsigned roll(unsigned n) {
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((dice >> 33) % n);
}

static int rules(void) {
    static const uint8_t PAIR[3] = {0, 1, 2};
    return (int)roll(2) | PAIR[roll(3)] << 1 | PAIR[roll(3)] << 3;
}

/* A state out of the middle of a round, a few of its bytes then changed, or not. */
static size_t make_state(uint8_t *out) {
    nimmt_round r;
    nimmt_stream stream;
    int players = 2 + (int)roll(9), seat, i;
    uint8_t *byte_of = (uint8_t *)&r;
    nimmt_stream_seed(&stream, dice, 0, 0, 0);
    MUST(nimmt_deal(&r, players, roll(2) ? NIMMT_CARDS : 10 * players + 4, rules(), &stream) == 0);
    if (roll(3) == 0) {
        uint8_t open[4];
        for (i = 0; i < NIMMT_ROWS; i++) {
            open[i] = r.rows[i][0];
        }
        MUST(nimmt_setup(&r, players, r.highest, r.flags, open, 0) == 0);
    }
    for (i = (int)roll(60); i > 0 && r.phase != NIMMT_OVER; i--) {
        seat = (int)roll((unsigned)players);
        if (r.phase == NIMMT_TAKE) {
            nimmt_take(&r, r.owes, (int)roll(4), 0);
        } else if (nimmt_resolve(&r, 0) < 0) {
            nimmt_choose(&r, seat, r.flags & NIMMT_UNKNOWN_HANDS ? 1 + (int)roll(r.highest) : r.hands[seat][roll(10)]);
        }
    }
    for (i = (int)roll(4); i > 0; i--) {
        byte_of[roll(3) ? roll(sizeof r) : roll(64)] = (uint8_t)(roll(2) ? roll(256) : roll(16));
    }
    memcpy(out, &r, sizeof r);
    return sizeof r;
}

static size_t make_setup(uint8_t *out) {
    unsigned i, j, players = 2 + roll(9), highest = roll(2) ? NIMMT_CARDS : 10 * players + 4;
    uint8_t deck[NIMMT_CARDS];
    for (i = 0; i < NIMMT_CARDS; i++) { /* a shuffle from the inside out */
        j = i < highest ? roll(i + 1) : i;
        deck[i] = deck[j];
        deck[j] = (uint8_t)(i + 1);
    }
    out[0] = (uint8_t)(roll(30) ? players : roll(256));
    out[1] = (uint8_t)(roll(30) ? highest : roll(256));
    memcpy(out + 2, deck, sizeof deck);
    for (i = roll(3) ? 0 : roll(3); i > 0; i--) {
        out[2 + roll(sizeof deck)] = (uint8_t)roll(256);
    }
    out[2 + sizeof deck] = (uint8_t)(roll(30) ? rules() : (int)roll(256));
    out[3 + sizeof deck] = (uint8_t)roll(4);
    return 4 + sizeof deck;
}

static size_t make_deal(uint8_t *out) {
    unsigned players = 2 + roll(9);
    out[0] = (uint8_t)(roll(30) ? players : roll(256));
    out[1] = (uint8_t)(roll(30) ? roll(2) ? NIMMT_CARDS : 10 * players + 4 : roll(256));
    out[2] = (uint8_t)(roll(30) ? rules() : (int)roll(256));
    return 3;
}

int main(int argc, char **argv) {
    unsigned long count = argc > 1 ? strtoul(argv[1], 0, 10) : 100000, i;
    dice = argc > 2 ? strtoul(argv[2], 0, 10) : 1;
    for (i = 0; i < count; i++) {
        uint8_t data[1024];
        unsigned mode = roll(16), moves = roll(300);
        size_t size = 1;
        data[0] = (uint8_t)(mode % MODES);
        if (mode < 15) { /* else noise */
            uint8_t *rest = data + 1;
            size += mode % MODES == STATE ? make_state(rest) : mode % MODES == SETUP ? make_setup(rest) : make_deal(rest);
        }
        for (; moves > 0; moves--) {
            data[size++] = (uint8_t)(roll(3) ? roll(16) : roll(256));
        }
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%lu inputs: %lu refused, %lu accepted, %lu rounds finished\n", count, refused, accepted, finished);
    return finished != accepted;
}

#endif
