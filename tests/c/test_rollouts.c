/* Tests csrc/nimmt_rollouts.c against the scalar core, world by world; made to run under sanitizers. Prints "N checks". */
#include "nimmt_rollouts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long checks;

static void check(int good, const char *what) {
    checks++;
    if (!good) {
        printf("failed: %s\n", what);
        exit(1);
    }
}

/* Exactly as large as needed, so that a sanitizer sees one byte too far. */
static void *copied(const void *from, size_t size) {
    void *bytes = malloc(size);
    check(bytes != NULL, "memory");
    memcpy(bytes, from, size);
    return bytes;
}

/* A world as nimmt_rollouts.h describes it, written again: a deck in an array of ints, hands by counting cards. */
static void world_of(nimmt_round *r, int hidden, nimmt_stream *stream) {
    int deck[NIMMT_CARDS], owner[NIMMT_CARDS + 1] = {0}, seat, card, i, j, count = 0, at = 0;
    int size = NIMMT_TURNS - r->turn - (r->phase == NIMMT_TAKE);
    for (card = 1; card <= r->highest; card++) {
        int free = !(r->seen[(card - 1) / 8] >> (card - 1) % 8 & 1);
        for (seat = 0; seat < r->players; seat++) {
            free = free && memchr(r->hands[seat], card, NIMMT_TURNS) == NULL;
        }
        if (free) {
            deck[count++] = card;
        }
    }
    for (seat = 0; seat < r->players; seat++) {
        if (hidden >> seat & 1) {
            for (i = 0; i < size; i++, at++) {
                j = at + (int)nimmt_stream_below(stream, (uint32_t)(count - at));
                card = deck[j];
                deck[j] = deck[at];
                owner[card] = seat + 1;
            }
            for (card = 1, i = 0; card <= r->highest; card++) {
                if (owner[card] == seat + 1) {
                    r->hands[seat][i++] = (uint8_t)card;
                }
            }
        }
    }
    check(nimmt_check(r) == 0, "a world is a round");
}

static void refusals(const nimmt_round *position, int seat, int hidden, const uint8_t *policies) {
    uint64_t heads[NIMMT_TURNS * NIMMT_SEATS] = {0}, squares[NIMMT_TURNS] = {0};
    uint8_t bad[NIMMT_SEATS];
    nimmt_round other = *position;
    int i, n = position->players;
    memcpy(bad, policies, sizeof bad);
    bad[n - 1] = NIMMT_POLICIES;
    check(nimmt_rollouts(position, -1, hidden, policies, 1, 0, 9, heads, squares) == NIMMT_E_SEAT, "seat -1");
    check(nimmt_rollouts(position, n, hidden, policies, 1, 0, 9, heads, squares) == NIMMT_E_SEAT, "seat n");
    check(nimmt_rollouts(position, seat, hidden, bad, 1, 0, 9, heads, squares) == NIMMT_E_POLICY, "policy");
    check(nimmt_rollouts(position, seat, hidden | 1 << n, policies, 1, 0, 9, heads, squares) == NIMMT_E_STATE, "hidden");
    check(nimmt_rollouts(position, seat, -1, policies, 1, 0, 9, heads, squares) == NIMMT_E_STATE, "hidden -1");
    check(nimmt_rollouts(position, seat, hidden | 1 << seat, policies, 1, 0, 9, heads, squares) == NIMMT_E_STATE, "own");
    for (i = 0; i < (int)sizeof other; i++) { /* any bytes may come: a sanitizer watches, and hardly any are a round */
        ((uint8_t *)&other)[i] ^= 0xFF;
        check(nimmt_rollouts(&other, seat, hidden, policies, 1, 0, 0, heads, squares) <= NIMMT_TURNS, "any bytes");
        check(i >= 11 || nimmt_rollouts(&other, seat, hidden, policies, 1, 0, 9, heads, squares) < 0, "not a round");
        ((uint8_t *)&other)[i] ^= 0xFF;
    }
    for (i = 0; i < NIMMT_TURNS * NIMMT_SEATS; i++) {
        check(heads[i] == 0 && squares[i % NIMMT_TURNS] == 0, "a refused call adds nothing");
    }
}

/* All moves of the seat in a position, in `worlds` worlds: the sums, world by world, are those of the core. */
static void compare(const nimmt_round *known, int seat, int hidden, const uint8_t *policies, uint64_t first, int worlds) {
    size_t n = known->players, move, s;
    uint64_t *heads = calloc(NIMMT_TURNS * n, sizeof *heads), *squares = calloc(NIMMT_TURNS, sizeof *squares);
    uint64_t *sums = calloc(NIMMT_TURNS * n, sizeof *sums), own[NIMMT_TURNS] = {0};
    nimmt_round *position = copied(known, sizeof *known);
    uint8_t *numbers = copied(policies, n);
    int w, count = 0, other;
    check(heads && squares && sums, "memory");
    for (w = 0; w < worlds; w++) {
        nimmt_stream stream;
        nimmt_round world = *known;
        count = nimmt_rollouts(position, seat, hidden, numbers, 7, first + (uint64_t)w, 1, heads, squares);
        if (world.phase == NIMMT_CHOOSE) {
            memset(world.chosen, 0, sizeof world.chosen);
        }
        nimmt_stream_seed(&stream, 7, first + (uint64_t)w, 0, NIMMT_USE_WORLDS);
        world_of(&world, hidden, &stream);
        for (move = 0, other = 0; other < 11; other++) { /* places in a hand, or rows */
            nimmt_round r = world;
            nimmt_stream draws = stream;
            if (r.phase == NIMMT_TAKE ? nimmt_take(&r, seat, other, 0) < 0
                                      : other == 10 || nimmt_choose(&r, seat, r.hands[seat][other]) < 0) {
                continue;
            }
            check(nimmt_playout(&r, policies, &draws) == 0, "playout");
            for (s = 0; s < n; s++) {
                sums[move * n + s] += (uint64_t)(r.heads[s] - known->heads[s]);
            }
            own[move] += (uint64_t)((r.heads[seat] - known->heads[seat]) * (r.heads[seat] - known->heads[seat]));
            move++;
        }
        check(count == (int)move, "moves");
        check(memcmp(heads, sums, NIMMT_TURNS * n * sizeof *sums) == 0, "heads");
        check(memcmp(squares, own, sizeof own) == 0, "squares");
    }
    memset(heads, 0, NIMMT_TURNS * n * sizeof *heads);
    memset(squares, 0, sizeof own);
    check(nimmt_rollouts(position, seat, hidden, numbers, 7, first, (uint64_t)worlds, heads, squares) == count, "at once");
    check(memcmp(heads, sums, NIMMT_TURNS * n * sizeof *sums) == 0 && memcmp(squares, own, sizeof own) == 0, "all worlds");
    check(memcmp(position, known, sizeof *known) == 0, "the position is as it was");
    free(heads);
    free(squares);
    free(sums);
    free(position);
    free(numbers);
}

/* Positions of one round, turn by turn and where rows are owed, from the seat that acts. */
static void play(int players, int highest, int flags, uint64_t game, int worlds) {
    uint8_t policies[NIMMT_SEATS];
    nimmt_stream stream;
    nimmt_round r;
    int seat, other, open;
    nimmt_stream_seed(&stream, 3, game, 0, 0);
    check(nimmt_deal(&r, players, highest, flags, &stream) == 0, "deal");
    for (seat = 0; seat < NIMMT_SEATS; seat++) {
        policies[seat] = (uint8_t)((game + (uint64_t)seat) % NIMMT_POLICIES);
    }
    while (r.phase != NIMMT_OVER) {
        nimmt_round known = r;
        int hidden = 0;
        seat = r.phase == NIMMT_TAKE ? r.owes : (int)nimmt_stream_below(&stream, (uint32_t)players);
        open = (int)nimmt_stream_below(&stream, 1u << players); /* hands that all know, as in logic */
        for (other = 0; other < players; other++) {
            if (other != seat && (game % 3 == 0 || !(open >> other & 1))) {
                hidden |= 1 << other;
                memset(known.hands[other], 0, NIMMT_TURNS);
            }
        }
        compare(&known, seat, hidden, policies, nimmt_stream_next(&stream), worlds);
        if (game % 5 == 0) {
            refusals(&known, seat, hidden, policies);
        }
        if (r.phase == NIMMT_TAKE) {
            check(nimmt_rollouts(&known, (seat + 1) % players, hidden & ~(1 << (seat + 1) % players), policies, 1, 0, 1, 0, 0) <
                      0, "another seat owes");
            nimmt_take(&r, r.owes, nimmt_policy_row(&r, NIMMT_RANDOM_ROWS, &stream), 0);
            continue;
        }
        for (other = 0; other < players; other++) {
            nimmt_choose(&r, other, nimmt_policy_card(&r, other, NIMMT_RANDOM, &stream));
        }
        nimmt_resolve(&r, 0);
    }
    {
        uint64_t heads[NIMMT_TURNS * NIMMT_SEATS], squares[NIMMT_TURNS];
        check(nimmt_rollouts(&r, 0, 0, policies, 1, 0, 1, heads, squares) == NIMMT_E_PHASE, "over");
    }
}

int main(int argc, char **argv) {
    static const int FLAGS[] = {0, NIMMT_CHEAPEST_FEWEST, NIMMT_CHEAPEST_MOST, NIMMT_PROFESSIONAL,
                                NIMMT_PROFESSIONAL | NIMMT_TIE_RIGHT, NIMMT_PROFESSIONAL | NIMMT_TIE_LEFT};
    int players, i, worlds = argc > 1 ? atoi(argv[1]) : 90;
    for (players = 2; players <= NIMMT_SEATS; players++) {
        for (i = 0; i < 12; i++) {
            play(players, i & 1 ? NIMMT_CARDS : 10 * players + 4, FLAGS[i / 2], (uint64_t)(20 * players + i), worlds);
        }
    }
    printf("%lu checks\n", checks);
    return 0;
}
