/*
 * nimmt_simulate.c against the scalar core, game by game, and its tallies against naive ones. Build and run:
 *   cc -O2 -Icsrc tests/c/test_simulate.c csrc/nimmt_simulate.c csrc/nimmt.c -o test_simulate && ./test_simulate [share]
 * share (default 100) is the percentage of random games to play: a small one for sanitizers.
 */
#include "nimmt_simulate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GAMES = 4096, GUARD = 8 };

static int passed, failed, share = 100;
static void *workspace;
static uint16_t scores[MOST_GAMES * NIMMT_SEATS + GUARD], expected_scores[MOST_GAMES * NIMMT_SEATS];
static uint32_t rounds[MOST_GAMES + GUARD], expected_rounds[MOST_GAMES];
static nimmt_tally tally, expected_tally;

static void check(int good, const char *what, const nimmt_plan *p) {
    if (good) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED: %s", what);
    if (p) {
        printf(" (variant %d players %d highest %d flags %d exceed %d limit %lu rounds %lu policies %d %d %d ...)", p->variant,
               p->players, p->highest, p->flags, p->exceed, (unsigned long)p->limit, (unsigned long)p->rounds,
               p->policies[0], p->policies[1], p->policies[2]);
    }
    printf("\n");
}

static void done(const char *what, int before) {
    printf("%s %s\n", failed == before ? "ok" : "not ok", what);
    fflush(stdout);
}

/* A number below n for the tests' own choices. */
static uint32_t any(uint32_t n) {
    static nimmt_stream stream;
    if (!(stream.s[0] | stream.s[1] | stream.s[2] | stream.s[3])) {
        nimmt_stream_seed(&stream, 1, 0, 0, 99);
    }
    return nimmt_stream_below(&stream, n);
}

static nimmt_plan plan_of(int players, int highest, int flags, int policy) {
    nimmt_plan p;
    memset(&p, 0, sizeof p);
    p.players = (uint8_t)players;
    p.highest = (uint8_t)highest;
    p.flags = (uint8_t)flags;
    p.limit = 66;
    memset(p.policies, policy, sizeof p.policies);
    return p;
}

/* The reference --------------------------------------------------------------------------------------------------------- */

static int is_over(const nimmt_plan *p, const uint32_t *score, uint32_t played) {
    int seat;
    if (p->rounds) {
        return played == p->rounds;
    }
    for (seat = 0; seat < p->players; seat++) {
        if (p->exceed ? score[seat] > p->limit : score[seat] >= p->limit) {
            return 1;
        }
    }
    return 0;
}

static void tally_naively(const nimmt_plan *p, const uint32_t *score, uint32_t played, nimmt_tally *t) {
    uint32_t least = score[0];
    unsigned seat, winners = 0;
    for (seat = 0; seat < p->players; seat++) {
        least = score[seat] < least ? score[seat] : least;
    }
    for (seat = 0; seat < p->players; seat++) {
        winners += score[seat] == least;
        t->scores[seat] += score[seat];
        t->scores_squares[seat] += score[seat] * (uint64_t)score[seat];
        t->scores_histogram[seat][score[seat] > 510 ? 511 : score[seat]]++;
    }
    for (seat = 0; seat < p->players; seat++) {
        t->wins[seat] += score[seat] == least ? 2520 / winners : 0;
    }
    t->games++;
    t->rounds += played;
    t->rounds_squares += played * (uint64_t)played;
    t->rounds_most = played > t->rounds_most ? played : t->rounds_most;
    t->rounds_histogram[played > 62 ? 63 : played]++;
}

static void simulate_naively(const nimmt_plan *p, uint64_t seed, uint64_t first, uint32_t games) {
    uint32_t game, played;
    int seat;
    memset(&expected_tally, 0, sizeof expected_tally);
    for (game = 0; game < games; game++) {
        uint32_t score[NIMMT_SEATS] = {0};
        for (played = 0; played == 0 || !is_over(p, score, played); played++) {
            nimmt_stream stream;
            nimmt_round round;
            nimmt_stream_seed(&stream, seed, first + game, played, 0);
            nimmt_deal(&round, p->players, p->highest, p->flags, &stream);
            nimmt_playout(&round, p->policies, &stream);
            for (seat = 0; seat < p->players; seat++) {
                unsigned heads = round.heads[seat];
                score[seat] += heads;
                expected_tally.heads[seat] += heads;
                expected_tally.heads_squares[seat] += heads * heads;
                expected_tally.heads_histogram[seat][heads]++;
            }
        }
        for (seat = 0; seat < p->players; seat++) {
            expected_scores[game * p->players + (unsigned)seat] = (uint16_t)score[seat];
        }
        expected_rounds[game] = played;
        tally_naively(p, score, played, &expected_tally);
    }
}

/* One plan in every variant that this machine has, with and without each of the outputs; nothing written behind them. */
static void compare(nimmt_plan p, uint64_t seed, uint64_t first, uint32_t games) {
    size_t size = sizeof scores[0] * games * p.players;
    int variant;
    simulate_naively(&p, seed, first, games);
    for (variant = 0; variant < NIMMT_VARIANTS; variant++) {
        if (!nimmt_variant_usable(variant) || (variant == 0 && any(8))) {
            continue;
        }
        p.variant = (uint8_t)variant;
        memset(scores, 0xAB, sizeof scores);
        memset(rounds, 0xAB, sizeof rounds);
        memset(&tally, 0, sizeof tally);
        memset(workspace, (int)any(256), nimmt_workspace_size());
        check(nimmt_simulate(&p, seed, first, games, scores, rounds, &tally, workspace) == 0, "accepted", &p);
        check(memcmp(scores, expected_scores, size) == 0, "scores", &p);
        check(memcmp(rounds, expected_rounds, games * sizeof rounds[0]) == 0, "rounds", &p);
        check(memcmp(&tally, &expected_tally, sizeof tally) == 0, "tally", &p);
        check(scores[games * p.players] == 0xABAB && rounds[games] == 0xABABABABu, "nothing behind the end", &p);
    }
}

/* The tests ------------------------------------------------------------------------------------------------------------- */

static const int FLAGS[] = {0, NIMMT_CHEAPEST_FEWEST, NIMMT_CHEAPEST_MOST,
    NIMMT_PROFESSIONAL, NIMMT_PROFESSIONAL | NIMMT_TIE_RIGHT, NIMMT_PROFESSIONAL | NIMMT_TIE_LEFT,
    NIMMT_PROFESSIONAL | NIMMT_CHEAPEST_FEWEST, NIMMT_PROFESSIONAL | NIMMT_TIE_LEFT | NIMMT_CHEAPEST_MOST,
    NIMMT_PROFESSIONAL | NIMMT_TIE_RIGHT | NIMMT_CHEAPEST_MOST, NIMMT_PROFESSIONAL | NIMMT_CHEAPEST_MOST,
    NIMMT_PROFESSIONAL | NIMMT_TIE_RIGHT | NIMMT_CHEAPEST_FEWEST, NIMMT_PROFESSIONAL | NIMMT_TIE_LEFT | NIMMT_CHEAPEST_FEWEST,
    NIMMT_TIE_LEFT, NIMMT_TIE_RIGHT | NIMMT_CHEAPEST_MOST};

enum { SETS_OF_FLAGS = sizeof FLAGS / sizeof FLAGS[0] };

/* Every policy with every set of rules and number of players, full and tactic deck. */
static void test_policies(void) {
    int players, policy, set, before = failed;
    for (players = 2; players <= 10; players++) {
        for (set = 0; set < SETS_OF_FLAGS; set++) {
            for (policy = 0; policy < NIMMT_POLICIES; policy++) {
                nimmt_plan p = plan_of(players, set & 1 ? 10 * players + 4 : NIMMT_CARDS, FLAGS[set], policy);
                compare(p, 7, any(1000), 40u * (uint32_t)share / 100 + 1);
                p.highest = (uint8_t)(set & 1 ? NIMMT_CARDS : 10 * players + 4);
                p.rounds = 1;
                compare(p, 1, any(1000), 200u * (uint32_t)share / 100 + 1);
            }
        }
    }
    done("all policies, rules, numbers of players", before);
}

/* Seats that differ, decks of any size, any limit or number of rounds, any seed. */
static void test_mixed(void) {
    int i, seat, before = failed;
    for (i = 0; i < 30 * share; i++) {
        int players = 2 + (int)any(9), least = 10 * players + 4;
        nimmt_plan p = plan_of(players, least + (int)any((uint32_t)(105 - least)), FLAGS[any(SETS_OF_FLAGS)], 0);
        for (seat = 0; seat < players; seat++) {
            p.policies[seat] = (uint8_t)any(NIMMT_POLICIES);
        }
        p.exceed = (uint8_t)any(2);
        p.limit = any(i % 8 ? 100 : 3);
        p.rounds = any(4) ? 0 : 1 + any(5);
        compare(p, (uint64_t)any(65535) << 48 | any(65535), (uint64_t)any(65535) << any(48) | 1, 1 + any(130));
    }
    done("policies mixed, decks, limits and rounds", before);
}

static void test_numbers_of_games(void) {
    static const uint32_t GAMES[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000};
    static const uint64_t FIRST[] = {0, 1, 77, 0xFFFFFFFFu - 30, UINT64_MAX - 999};
    unsigned g, f;
    int before = failed;
    for (g = 0; g < sizeof GAMES / sizeof GAMES[0]; g++) {
        for (f = 0; f < sizeof FIRST / sizeof FIRST[0]; f++) {
            nimmt_plan p = plan_of(4, 104, 0, NIMMT_RANDOM);
            if (GAMES[g] < 1000 || share == 100 || f == 4) {
                compare(p, UINT64_MAX, FIRST[f], GAMES[g]);
            }
        }
    }
    done("numbers of games and first game", before);
}

/* Splitting the range changes nothing; tallies go on from call to call, and over 2^16 rounds. */
static void test_split(void) {
    nimmt_plan p = plan_of(5, 54, NIMMT_PROFESSIONAL, NIMMT_NEAREST);
    uint32_t at, next, games = 1000;
    int before = failed;
    p.policies[1] = NIMMT_RANDOM;
    simulate_naively(&p, 3, 12345, games);
    memset(&tally, 0, sizeof tally);
    for (at = 0; at < games; at = next) {
        next = at + 1 + any(90);
        next = next > games ? games : next;
        nimmt_simulate(&p, 3, 12345 + at, next - at, scores + at * 5, rounds + at, &tally, workspace);
    }
    check(!memcmp(scores, expected_scores, games * 10) && !memcmp(rounds, expected_rounds, games * 4), "split games", &p);
    check(!memcmp(&tally, &expected_tally, sizeof tally), "split tally", &p);
    check(nimmt_simulate(&p, 3, 0, 10, NULL, NULL, NULL, workspace) == 0, "no output", &p);
    p.limit = 65535 - 54;
    check(nimmt_simulate(&p, 3, 0, 10, NULL, NULL, NULL, workspace) == NIMMT_E_LIMIT, "limit too high", &p);
    p.limit = 2000;
    p.rounds = 0;
    compare(p, 5, 0, 3);
    p.rounds = 383;
    compare(p, 5, 0, 2);
    done("ranges split, long games", before);
}

/*
 * Rounds in which a draw is rejected (found by search): about one in a million has one, in the deal or for a card. The test
 * counts the draws to prove it.
 */
static int rejections(uint64_t seed, uint64_t game, int players) {
    nimmt_stream a, b;
    int i, draws = 10 * players + 4, count = 0;
    nimmt_stream_seed(&a, seed, game, 0, 0);
    for (i = 0; i < draws + 10 * players; i++) {
        uint32_t n = (uint32_t)(i < draws ? 104 - i : 10 - (i - draws) / players);
        b = a;
        nimmt_stream_below(&a, n);
        nimmt_stream_next(&b);
        count += memcmp(&a, &b, sizeof a) != 0;
    }
    return count;
}

static void test_rejection(void) {
    static const uint32_t FOUND[][2] = {{4, 1859702}, {4, 2765106}, {4, 11389241}, {10, 2765106}, {10, 5149747}};
    unsigned i;
    int before = failed;
    for (i = 0; i < sizeof FOUND / sizeof FOUND[0]; i++) {
        int players = (int)FOUND[i][0];
        nimmt_plan p = plan_of(players, 104, 0, NIMMT_RANDOM);
        p.rounds = 1;
        check(rejections(7, FOUND[i][1], players) > 0, "a draw is rejected", &p);
        compare(p, 7, FOUND[i][1] - 5, 70);
        memset(p.policies, NIMMT_RANDOM_ROWS, 5);
        compare(p, 7, FOUND[i][1] - 5, 70);
    }
    done("draws that are repeated", before);
}

static void refuse(nimmt_plan p, uint64_t first, uint64_t games, int error, const char *what) {
    nimmt_tally before = tally;
    memset(scores, 0xAB, sizeof scores);
    check(nimmt_simulate(&p, 1, first, games, scores, NULL, &tally, workspace) == error, what, &p);
    check(scores[0] == 0xABAB && !memcmp(&before, &tally, sizeof tally), "refused, but something was written", &p);
}

static void test_refused(void) {
    const nimmt_plan good = plan_of(4, 104, 0, NIMMT_RANDOM);
    nimmt_plan p;
    int before = failed;
    memset(&tally, 0, sizeof tally);
#define REFUSE(change, error) (p = good, change, refuse(p, 0, 2, error, #change))
    REFUSE(p.players = 1, NIMMT_E_STATE);
    REFUSE(p.players = 11, NIMMT_E_STATE);
    REFUSE(p.highest = 43, NIMMT_E_STATE);
    REFUSE(p.highest = 105, NIMMT_E_STATE);
    REFUSE(p.flags = NIMMT_UNKNOWN_HANDS, NIMMT_E_STATE);
    REFUSE(p.flags = NIMMT_TIE_LEFT | NIMMT_TIE_RIGHT, NIMMT_E_STATE);
    REFUSE(p.flags = NIMMT_CHEAPEST_FEWEST | NIMMT_CHEAPEST_MOST, NIMMT_E_STATE);
    REFUSE(p.flags = 64, NIMMT_E_STATE);
    REFUSE(p.exceed = 2, NIMMT_E_STATE);
    REFUSE(p.reserved = 1, NIMMT_E_STATE);
    REFUSE(p.policies[3] = NIMMT_POLICIES, NIMMT_E_POLICY);
    REFUSE(p.limit = 65366, NIMMT_E_LIMIT);
    REFUSE((p.limit = 65365, p.exceed = 1), NIMMT_E_LIMIT);
    REFUSE(p.limit = 0xFFFFFFFFu, NIMMT_E_LIMIT);
    REFUSE(p.rounds = 384, NIMMT_E_LIMIT);
    REFUSE(p.rounds = 0xFFFFFFFFu, NIMMT_E_LIMIT);
    REFUSE(p.variant = NIMMT_VARIANTS, NIMMT_E_VARIANT);
    refuse(good, UINT64_MAX, 2, NIMMT_E_GAMES, "games beyond 2^64");
    refuse(good, 2, UINT64_MAX, NIMMT_E_GAMES, "games beyond 2^64");
    refuse(good, 0, UINT64_MAX, NIMMT_E_TALLY, "more games than a tally holds");
    tally.games = UINT64_MAX - 1;
    refuse(good, 0, 2, NIMMT_E_TALLY, "more games than a tally holds");
    p = good;
    p.policies[4] = 99;
    p.limit = 65365;
    check(nimmt_plan_check(&p) == 0, "limit 65365, policies of seats that are not there", &p);
    p.rounds = 383;
    check(nimmt_plan_check(&p) == 0, "383 rounds", &p);
    check(nimmt_simulate(&good, 1, UINT64_MAX, 1, scores, rounds, NULL, workspace) == 0, "the last game", &good);
    done("what is refused", before);
}

static void test_variants(void) {
    int v, before = failed, best = nimmt_variant_best();
    check(best > 0 && nimmt_variant_usable(best) && nimmt_variant_usable(0) && nimmt_variant_usable(1), "usable", NULL);
    check(!nimmt_variant_usable(-1) && !nimmt_variant_usable(NIMMT_VARIANTS), "not usable", NULL);
    check(!nimmt_variant_name(-1) && !nimmt_variant_name(NIMMT_VARIANTS), "no name", NULL);
    check(nimmt_variant_name(0) == nimmt_variant_name(best), "name of the best", NULL);
    printf("# best: %s; here:", nimmt_variant_name(0));
    for (v = 1; v < NIMMT_VARIANTS; v++) {
        printf(nimmt_variant_usable(v) ? " %s" : " (no %s)", nimmt_variant_name(v));
    }
    printf("; workspace %lu bytes, tally %lu\n", (unsigned long)nimmt_workspace_size(), (unsigned long)sizeof tally);
    done("variants", before);
}

int main(int count, char **arguments) {
    share = count > 1 ? atoi(arguments[1]) : 100;
    workspace = malloc(nimmt_workspace_size());
    if (!workspace || share < 1) {
        return 2;
    }
    test_variants();
    test_numbers_of_games();
    test_policies();
    test_mixed();
    test_split();
    test_rejection();
    test_refused();
    free(workspace);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
