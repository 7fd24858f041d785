/*
 * Rounds a second on one core: the lanes of nimmt_simulate.c in every variant that this machine has, beside the plain loop over
 * the scalar core, in the same run and with equal results. Build and run:
 *   cc -O2 -Icsrc bench/bench_simulate.c csrc/nimmt_simulate.c csrc/nimmt.c -o bench_simulate && ./bench_simulate
 *
 *   bench_simulate [limit]                               the table; limit 0 (default): games of one round, else to this limit
 *   bench_simulate count VARIANT PLAYERS GAMES [limit]   plays these games and nothing else, for instructions a round:
 *   valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=nimmt_simulate bench_simulate count 2 4 64000
 */
#include "nimmt_simulate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GAMES = 8192, REPEAT = 5 };

static uint16_t scores[GAMES * NIMMT_SEATS];
static uint32_t rounds[GAMES];

static nimmt_plan plan_of(int variant, int players, unsigned long limit) {
    nimmt_plan p;
    memset(&p, 0, sizeof p);
    p.variant = (uint8_t)variant;
    p.players = (uint8_t)players;
    p.highest = NIMMT_CARDS;
    p.limit = (uint32_t)limit;
    p.rounds = limit == 0;
    return p; /* all seats play NIMMT_RANDOM, which is 0 */
}

static unsigned long total(void) {
    unsigned long sum = 0;
    int game;
    for (game = 0; game < GAMES; game++) {
        sum += rounds[game];
    }
    return sum;
}

/* FNV-1a of scores and rounds. */
static uint32_t digest(int players) {
    uint32_t hash = 2166136261u;
    int i;
    for (i = 0; i < GAMES * players; i++) {
        hash = (hash ^ scores[i]) * 16777619u;
    }
    for (i = 0; i < GAMES; i++) {
        hash = (hash ^ rounds[i]) * 16777619u;
    }
    return hash;
}

static void scalar(const nimmt_plan *p) {
    int game, seat;
    for (game = 0; game < GAMES; game++) {
        uint32_t most = 0, played;
        uint16_t *score = scores + game * p->players;
        memset(score, 0, sizeof *score * p->players);
        for (played = 0; p->rounds ? played < p->rounds : most < p->limit; played++) {
            nimmt_stream stream;
            nimmt_round round;
            nimmt_stream_seed(&stream, 1, (uint64_t)game, played, 0);
            nimmt_deal(&round, p->players, p->highest, p->flags, &stream);
            nimmt_playout(&round, p->policies, &stream);
            for (seat = 0; seat < p->players; seat++) {
                score[seat] = (uint16_t)(score[seat] + round.heads[seat]);
                most = score[seat] > most ? score[seat] : most;
            }
        }
        rounds[game] = played;
    }
}

/* Million rounds in a second of processor time, the best of a few runs: others use this machine, too. variant 0: scalar. */
static double measure(int variant, int players, unsigned long limit, void *workspace) {
    nimmt_plan p = plan_of(variant, players, limit);
    double best = 0;
    int i, k, calls = variant ? 20 : 1;
    for (i = 0; i < (variant ? 2 * REPEAT : REPEAT); i++) {
        clock_t start = clock();
        double seconds, rate;
        for (k = 0; k < calls; k++) {
            if (variant) {
                nimmt_simulate(&p, 1, 0, GAMES, scores, rounds, NULL, workspace);
            } else {
                scalar(&p);
            }
        }
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        rate = seconds > 0 ? (double)total() * calls / seconds / 1e6 : 0;
        best = rate > best ? rate : best;
    }
    return best;
}

static int table(unsigned long limit, void *workspace) {
    static const int PLAYERS[] = {2, 4, 6, 10};
    unsigned i;
    int variant, different = 0;
    printf("million rounds a second, random seats, full deck, %s%lu\n%-8s%8s", limit ? "games to " : "games of one round: ",
           limit ? limit : 1, "players", "scalar");
    for (variant = 1; variant < NIMMT_VARIANTS; variant++) {
        printf("%8s   ratio", nimmt_variant_name(variant));
    }
    for (i = 0; i < sizeof PLAYERS / sizeof PLAYERS[0]; i++) {
        double base = measure(0, PLAYERS[i], limit, workspace);
        uint32_t expected = digest(PLAYERS[i]);
        printf("\n%-8d%8.3f", PLAYERS[i], base);
        for (variant = 1; variant < NIMMT_VARIANTS; variant++) {
            double rate;
            if (!nimmt_variant_usable(variant)) {
                printf("%8s%8s", "-", "-");
                continue;
            }
            rate = measure(variant, PLAYERS[i], limit, workspace);
            printf("%8.3f%7.1fx%s", rate, rate / base, digest(PLAYERS[i]) == expected ? "" : " DIFFERENT RESULTS");
            different |= digest(PLAYERS[i]) != expected;
        }
        fflush(stdout);
    }
    printf("\n%s\n", different ? "results differ" : "all results equal");
    return different;
}

static int count(char **arguments, unsigned long limit, void *workspace) {
    nimmt_plan p = plan_of(atoi(arguments[0]), atoi(arguments[1]), limit);
    unsigned long first, games = strtoul(arguments[2], NULL, 10), played = 0;
    for (first = 0; first < games; first += GAMES) {
        unsigned long some = games - first < GAMES ? games - first : GAMES;
        memset(rounds, 0, sizeof rounds);
        if (nimmt_simulate(&p, 1, first, some, scores, rounds, NULL, workspace)) {
            return 1;
        }
        played += total();
    }
    printf("%s: %lu rounds\n", nimmt_variant_name(p.variant), played);
    return 0;
}

int main(int n, char **arguments) {
    void *workspace = malloc(nimmt_workspace_size());
    int result = 2;
    if (workspace && n >= 5 && strcmp(arguments[1], "count") == 0) {
        result = count(arguments + 2, n > 5 ? strtoul(arguments[5], NULL, 10) : 0, workspace);
    } else if (workspace) {
        result = table(n > 1 ? strtoul(arguments[1], NULL, 10) : 0, workspace);
    }
    free(workspace);
    return result;
}
