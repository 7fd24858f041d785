/* Tests csrc/nimmt_batch.c against the scalar core, move by move; made to run under sanitizers. Prints "N calls". */
#include "nimmt_batch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7 };

static unsigned long calls;

static void check(int good, const char *what) {
    calls++;
    if (!good) {
        printf("failed: %s\n", what);
        exit(1);
    }
}

/* Exactly as large as needed, so that a sanitizer sees one byte too far. */
static void *room(size_t size) {
    void *bytes = malloc(size);
    check(bytes != NULL, "memory");
    memset(bytes, 0xA5, size);
    return bytes;
}

static void refusals(nimmt_round *block, nimmt_stream *streams, uint8_t *cards, int players) {
    size_t size = ROUNDS * sizeof *block;
    nimmt_round *before = room(size);
    int8_t *codes = room(ROUNDS);
    uint8_t good = cards[players], policies[NIMMT_SEATS] = {0};
    static const uint8_t BAD[3] = {0, 105, 255};
    int i;
    memcpy(before, block, size);
    for (i = 0; i < 3; i++) {
        cards[players] = BAD[i];
        check(nimmt_batch_choose(block, ROUNDS, cards, codes) == 1 && codes[0] == 0 && codes[1] == NIMMT_E_CARD, "card");
        check(nimmt_batch_choose(block, ROUNDS, cards, NULL) == 1, "card without codes");
    }
    cards[players] = cards[0];
    check(nimmt_batch_choose(block, ROUNDS, cards, codes) <= 1, "held");
    if (codes[1] == 0) { /* both rounds have this card in this hand */
        memcpy(block, before, size);
    }
    cards[players] = good;
    check(nimmt_batch_resolve(block, streams, ROUNDS, 0, NULL, codes) == ROUNDS && codes[6] == NIMMT_E_MISSING, "missing");
    policies[1] = NIMMT_POLICIES;
    check(nimmt_batch_policy(block, streams, ROUNDS, policies, cards) == NIMMT_E_POLICY, "policy");
    check(nimmt_batch_deal(block, streams, ROUNDS, 11, 104, 0, 1, 0, 0) == NIMMT_E_STATE, "deal");
    check(memcmp(block, before, size) == 0 && cards[players] == good, "nothing has changed");
    free(codes);
    free(before);
}

/* One turn: the block, and `alone` by nimmt.c. */
static void turn(nimmt_round *block, nimmt_stream *streams, nimmt_round *alone, nimmt_stream *seeds, int policy) {
    int i, seat, players = block->players;
    uint8_t *cards = room((size_t)(ROUNDS * players)), *heads = room((size_t)(ROUNDS * players)), *rows = room(ROUNDS);
    uint8_t policies[NIMMT_SEATS] = {0}, *legal = room((size_t)(ROUNDS * players * (NIMMT_CARDS + 1)));
    size_t owing;
    check(nimmt_batch_policy(block, streams, ROUNDS, policies, cards) == 0, "policy");
    nimmt_batch_legal(block, ROUNDS, legal);
    refusals(block, streams, cards, players);
    check(nimmt_batch_choose(block, ROUNDS, cards, NULL) == 0, "choose");
    check(nimmt_batch_resolve(block, streams, ROUNDS, policy, heads, NULL) == 0, "resolve");
    for (i = 0; i < ROUNDS; i++) {
        for (seat = 0; seat < players; seat++) {
            int card = nimmt_policy_card(alone + i, seat, 0, seeds + i);
            check(card == cards[i * players + seat] && legal[(i * players + seat) * (NIMMT_CARDS + 1) + card], "card");
        }
        nimmt_play(alone + i, cards + i * players, NULL);
        while (policy >= 0 && alone[i].allowed) {
            nimmt_take(alone + i, alone[i].owes, nimmt_policy_row(alone + i, policy, seeds + i), NULL);
        }
    }
    while ((owing = nimmt_batch_owing(block, ROUNDS)) != 0) {
        int8_t codes[ROUNDS];
        memset(rows, 200, ROUNDS);
        check(nimmt_batch_take(block, ROUNDS, rows, heads, codes) == owing, "rows are refused");
        for (i = 0; i < ROUNDS; i++) {
            check(codes[i] == (block[i].allowed ? NIMMT_E_ROW : 0), "code of a row");
            if (block[i].allowed) {
                rows[i] = (uint8_t)nimmt_cheapest(block + i, block[i].chosen[block[i].owes], block[i].allowed);
                nimmt_take(alone + i, alone[i].owes, rows[i], NULL);
            }
        }
        check(nimmt_batch_take(block, ROUNDS, rows, heads, NULL) == 0, "take");
    }
    check(memcmp(block, alone, ROUNDS * sizeof *block) == 0, "the rounds are those of the scalar core");
    check(memcmp(streams, seeds, ROUNDS * sizeof *streams) == 0, "so are the streams");
    check(nimmt_batch_check(block, ROUNDS) == 0, "the rounds are legal");
    free(cards);
    free(heads);
    free(rows);
    free(legal);
}

static void play(int players, int highest, int flags, int policy) {
    nimmt_round *block = room(ROUNDS * sizeof *block), *alone = room(ROUNDS * sizeof *alone);
    nimmt_stream *streams = room(ROUNDS * sizeof *streams), *seeds = room(ROUNDS * sizeof *seeds);
    uint64_t seed = (uint64_t)(players * 1000 + flags), first = UINT64_MAX - ROUNDS + 1;
    int i;
    check(nimmt_batch_deal(block, streams, ROUNDS, players, highest, flags, seed, first, 3) == 0, "deal");
    for (i = 0; i < ROUNDS; i++) {
        nimmt_stream_seed(seeds + i, seed, first + (uint64_t)i, 3, 0);
        nimmt_deal(alone + i, players, highest, flags, seeds + i);
    }
    check(memcmp(block, alone, ROUNDS * sizeof *block) == 0, "the deal is that of the scalar core");
    for (i = 0; i < NIMMT_TURNS; i++) {
        turn(block, streams, alone, seeds, policy);
    }
    check(nimmt_batch_choose(block, ROUNDS, (const uint8_t *)streams, NULL) == ROUNDS, "all is over");
    block[ROUNDS - 1].turn = 3;
    check(nimmt_batch_check(block, ROUNDS) == NIMMT_E_STATE, "a damaged round");
    free(block);
    free(alone);
    free(streams);
    free(seeds);
}

static void narrow(void) {
    static const int64_t NUMBERS[6] = {0, 104, 254, 255, -1, (int64_t)1 << 40 | 7};
    static const uint8_t EXPECTED[6] = {0, 104, 254, 255, 255, 255};
    uint8_t bytes[1 + sizeof NUMBERS], to[6];
    memcpy(bytes + 1, NUMBERS, sizeof NUMBERS); /* not aligned */
    nimmt_batch_narrow(to, bytes + 1, 6, 8);
    check(memcmp(to, EXPECTED, 6) == 0, "numbers of eight bytes");
}

/* Whole rounds of the block are what nimmt_playout makes of each, from the deal and from the middle of a turn. */
static void playout(int players, int flags) {
    nimmt_round *block = room(ROUNDS * sizeof *block), alone;
    nimmt_stream *streams = room(ROUNDS * sizeof *streams), stream;
    uint8_t *policies = room((size_t)players);
    int i;
    for (i = 0; i < players; i++) {
        policies[i] = (uint8_t)((i + flags) % NIMMT_POLICIES);
    }
    check(nimmt_batch_deal(block, streams, ROUNDS, players, NIMMT_CARDS, flags, 5, 3, 0) == 0, "deal");
    nimmt_choose(block + 1, 1, block[1].hands[1][4]);
    policies[players - 1] = NIMMT_POLICIES;
    alone = block[0];
    check(nimmt_batch_playout(block, streams, ROUNDS, policies) == NIMMT_E_POLICY, "playout: policy");
    check(memcmp(&alone, block, sizeof alone) == 0, "a refused playout plays nothing");
    policies[players - 1] = NIMMT_NEAREST;
    check(nimmt_batch_playout(block, streams, ROUNDS, policies) == 0, "playout");
    for (i = 0; i < ROUNDS; i++) {
        nimmt_stream_seed(&stream, 5, (uint64_t)(3 + i), 0, 0);
        nimmt_deal(&alone, players, NIMMT_CARDS, flags, &stream);
        if (i == 1) {
            nimmt_choose(&alone, 1, alone.hands[1][4]);
        }
        nimmt_playout(&alone, policies, &stream);
        check(memcmp(&alone, block + i, sizeof alone) == 0 && memcmp(&stream, streams + i, sizeof stream) == 0, "played");
    }
    free(block), free(streams), free(policies);
}

/* Positions of any kind, good and bad, in which the core itself places the cards. */
static void place(int flags, int players, int how) {
    enum { N = 300 };
    size_t n = (size_t)players;
    uint8_t *rows = room(N * 20), *cards = room(N * n), *take = room(N * n), *placed = room(N * 20), *heads = room(N * n);
    uint8_t *owes = room(N), *allowed = room(N);
    int8_t *codes = room(N);
    nimmt_stream stream;
    size_t bad = 0;
    int i, j, row;
    nimmt_stream_seed(&stream, (uint64_t)(flags + 100 * players), (uint64_t)how, 0, 9);
    for (i = 0; i < N; i++) {
        uint8_t deck[NIMMT_CARDS], *at = deck;
        for (j = 0; j < NIMMT_CARDS; j++) {
            int k = (int)nimmt_stream_below(&stream, (uint32_t)j + 1);
            deck[j] = deck[k];
            deck[k] = (uint8_t)(j + 1);
        }
        memset(rows + 20 * i, 0, 20);
        for (row = 0; row < 4; row++) { /* rows ascend: the smallest of what is left goes last in front */
            int length = 1 + (int)nimmt_stream_below(&stream, 5), k, m;
            for (k = 0; k < length; k++, at++) {
                for (m = k; m > 0 && rows[20 * i + 5 * row + m - 1] > *at; m--) {
                    rows[20 * i + 5 * row + m] = rows[20 * i + 5 * row + m - 1];
                }
                rows[20 * i + 5 * row + m] = *at;
            }
        }
        for (j = 0; j < players; j++) {
            cards[n * (size_t)i + (size_t)j] = nimmt_stream_below(&stream, 5) ? *at++ : 0;
            take[n * (size_t)i + (size_t)j] = (uint8_t)nimmt_stream_below(&stream, 6);
        }
        if (how == 1 && nimmt_stream_below(&stream, 2)) { /* any byte anywhere */
            rows[20 * i + (int)nimmt_stream_below(&stream, 20)] = (uint8_t)nimmt_stream_next(&stream);
            cards[n * (size_t)i] = (uint8_t)nimmt_stream_next(&stream);
        }
    }
    bad = nimmt_batch_place(rows, cards, how == 2 ? NULL : take, N, players, flags, placed, heads, owes, allowed, codes);
    for (i = 0; i < N; i++) {
        nimmt_round r = {0};
        int code = 0, played = 0;
        r.players = (uint8_t)players;
        r.highest = NIMMT_CARDS;
        r.flags = (uint8_t)flags;
        r.phase = NIMMT_TAKE;
        memcpy(r.rows, rows + 20 * i, 20);
        memcpy(r.chosen, cards + n * (size_t)i, n);
        for (j = 0; j < players; j++) {
            played += r.chosen[j] != 0;
        }
        for (row = 0; row < 4; row++) {
            while (r.length[row] < 5 && r.rows[row][r.length[row]]) {
                r.length[row]++;
            }
        }
        bad -= codes[i] != 0;
        if (codes[i] && codes[i] != NIMMT_E_ROW) {
            check(how == 1 || (!played && codes[i] == NIMMT_E_MISSING), "only bad ones are refused");
            check(placed[20 * i] == 0xA5 && owes[i] == 0xA5, "nothing is written where it is refused");
            continue;
        }
        nimmt_resolve(&r, 0);
        while (code >= 0 && r.allowed && how != 2 && take[n * (size_t)i + r.owes] < 4) {
            code = nimmt_take(&r, r.owes, take[n * (size_t)i + r.owes], 0);
        }
        check(code < 0 ? codes[i] == code : !codes[i], "row");
        check(code < 0 || (!memcmp(r.rows, placed + 20 * i, 20) && !memcmp(r.heads, heads + n * (size_t)i, n)), "placed");
        check(code < 0 || (owes[i] == (r.allowed ? r.owes : 255) && allowed[i] == r.allowed), "owed");
    }
    check(bad == 0, "the number of codes is returned");
    free(rows), free(cards), free(take), free(placed), free(heads), free(owes), free(allowed), free(codes);
}

int main(void) {
    static const int FLAGS[6] = {0, NIMMT_CHEAPEST_FEWEST, NIMMT_CHEAPEST_MOST, NIMMT_PROFESSIONAL,
                                 NIMMT_PROFESSIONAL | NIMMT_TIE_RIGHT, NIMMT_PROFESSIONAL | NIMMT_TIE_LEFT};
    int players, i, policy;
    for (players = 2; players <= NIMMT_SEATS; players++) {
        for (i = 0; i < 6; i++) {
            for (policy = -1; policy < NIMMT_POLICIES; policy += policy < 0 ? 1 : NIMMT_RANDOM_ROWS) {
                play(players, i & 1 ? NIMMT_CARDS : 10 * players + 4, FLAGS[i], policy);
            }
        }
    }
    for (players = 2; players <= NIMMT_SEATS; players++) {
        for (i = 0; i < 6; i++) {
            playout(players, FLAGS[i]);
        }
    }
    for (players = 1; players <= NIMMT_SEATS; players++) {
        for (i = 0; i < 18; i++) {
            place(i / 3 == 0 ? 0 : FLAGS[i / 3], players, i % 3);
        }
    }
    narrow();
    printf("%lu calls\n", calls);
    return 0;
}
