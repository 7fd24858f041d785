/* Many rounds in lockstep; nimmt_simulate.h says what each function promises, nimmt_lanes.h has the loops over the lanes. */
#include "nimmt_simulate.h"
#include <string.h>

/*
 * x86 with gcc or clang: the loops are compiled again for AVX2 and AVX-512, and chosen when they run. Not on Windows, where
 * gcc does not align the stack for such vectors.
 */
#if (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 8)) && (defined(__x86_64__) || defined(__i386__)) && \
    !defined(_WIN32) && !defined(NIMMT_NO_VARIANTS)
#define X86_VARIANTS 1
#else
#define X86_VARIANTS 0
#endif

/*
 * gcc vectorises loops that have no branches left, whatever -O the library is built with: at -O2 it would not, and these
 * passes would make branches again of what was written without. noinline keeps `restrict` of the parameters in force.
 */
#if defined(__GNUC__)
#if !defined(__clang__)
#pragma GCC optimize("O3", "no-tree-sink", "no-thread-jumps", "no-split-paths")
#endif
#define NOINLINE __attribute__((noinline))
#define INLINE inline __attribute__((always_inline))
#else
#define NOINLINE
#define INLINE inline
#endif

enum {
    LANES = 64,                    /* rounds at once: the bytes of the widest vectors */
    WORDS = LANES / 4,             /* a byte of each lane, as words */
    FRONT = 8,                     /* rows in front of the deck, see F(shuffle) */
    MOST_DRAWS = NIMMT_CARDS + NIMMT_SEATS * NIMMT_TURNS + 4 /* of a round, rounded up to blocks of four */
};

static const uint32_t ALARM = 103u << 8; /* see F(draw4) */

typedef uint8_t bytes[LANES];

/* The workspace. First what differs by lane; a multiple of 64 bytes each, so that all are aligned if the first is. */
typedef struct lanes {
    uint32_t state[4][LANES];                 /* random streams, in an order of their own: lane i has number stream[i] */
    uint32_t counter[3][LANES];               /* in that order: low and high word of the game, the next round */
    uint32_t alarm[LANES];                    /* in that order: smallest `watch` of the round */
    uint32_t drawn[FRONT + MOST_DRAWS][WORDS]; /* bytes by lane: places to swap with, then cards; then draws for cards */
    uint32_t need[WORDS], forced[WORDS], owner[WORDS]; /* bytes by lane, see F(force) */
    uint8_t step[FRONT + NIMMT_CARDS][LANES]; /* row FRONT + k is k + 1 in all lanes */
    uint8_t hand[NIMMT_SEATS][NIMMT_TURNS + 1][LANES];
    uint8_t sum[NIMMT_SEATS][LANES];          /* of the cards of the hand, modulo 256 */
    uint8_t chosen[NIMMT_SEATS][LANES], sorted[NIMMT_SEATS][LANES], cost[NIMMT_SEATS][LANES], heads[NIMMT_SEATS][LANES];
    uint8_t own[NIMMT_SEATS][LANES];          /* heads of the cards in sorted */
    uint8_t first[NIMMT_ROWS][LANES], last[NIMMT_ROWS][LANES], load[NIMMT_ROWS][LANES];
    uint8_t index[LANES], best[LANES];        /* of F(nearest): where in the hand, how far from a row */
    uint8_t two[LANES];                       /* of F(force): two rows are allowed */
    uint16_t score[NIMMT_SEATS][LANES], top[LANES];
    uint64_t game[LANES];                     /* counted from `first` */
    uint32_t round[LANES];                    /* rounds finished */
    uint8_t stream[LANES], active[LANES];
    /* then what is the same in all */
    uint32_t range[MOST_DRAWS], bias[MOST_DRAWS]; /* of each draw: below what, and what is added to four bytes at once */
    uint32_t key[2];
    int players, flags, dealt;                /* cards dealt: 10 * players + 4 */
    int drawing, draws;                       /* seats that draw their cards; draws of a round but those for rows */
    int redraws;                              /* somebody draws rows, so draws for cards cannot be made in advance */
    uint8_t by, flip, right, left;            /* flags as masks, see F(place_low) and F(place_pro) */
    uint8_t policies[NIMMT_SEATS];
} lanes;

#define U(x) ((uint8_t)(x))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))

#define F(name) name##_baseline
#include "nimmt_lanes.h"
#undef F

#if X86_VARIANTS
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define F(name) name##_avx2
#include "nimmt_lanes.h"
#undef F
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif
#define F(name) name##_avx512
#include "nimmt_lanes.h"
#undef F
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

/* Variants ------------------------------------------------------------------------------------------------------------ */

typedef struct variant {
    int (*play)(lanes *w);
    void (*score)(uint16_t (*scores)[LANES], uint16_t *top, const bytes *heads, int count);
} variant;

static const variant VARIANTS[] = {
    {play_baseline, score_baseline},
#if X86_VARIANTS
    {play_avx2, score_avx2},
    {play_avx512, score_avx512},
#endif
};

int nimmt_variant_usable(int number) {
#if X86_VARIANTS
    if (number == NIMMT_VARIANT_AVX2) {
        return __builtin_cpu_supports("avx2") != 0;
    }
    if (number == NIMMT_VARIANT_AVX512) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    }
#endif
    return number == NIMMT_VARIANT_BEST || number == NIMMT_VARIANT_BASELINE;
}

int nimmt_variant_best(void) {
    int number = NIMMT_VARIANTS - 1;
    while (!nimmt_variant_usable(number)) {
        number--;
    }
    return number;
}

const char *nimmt_variant_name(int number) {
    switch (number) {
    case NIMMT_VARIANT_BEST:
        return nimmt_variant_name(nimmt_variant_best());
    case NIMMT_VARIANT_BASELINE:
#if defined(__x86_64__) || defined(_M_X64) || defined(__SSE2__)
        return "sse2";
#elif defined(__ARM_NEON) || defined(__aarch64__) || defined(_M_ARM64)
        return "neon";
#else
        return "plain";
#endif
    case NIMMT_VARIANT_AVX2:
        return "avx2";
    case NIMMT_VARIANT_AVX512:
        return "avx512";
    default:
        return NULL;
    }
}

/* Plans --------------------------------------------------------------------------------------------------------------- */

static uint64_t heads_in(const nimmt_plan *plan) {
    uint64_t heads = 0;
    int card;
    for (card = 1; card <= plan->highest; card++) {
        heads += (uint64_t)nimmt_bull_heads(card);
    }
    return heads;
}

/* The largest score that does not end a game with a limit. Every round has a head, so for a limit of 0 it is 0, too. */
static uint64_t before_end(const nimmt_plan *plan) {
    return plan->exceed ? plan->limit : plan->limit ? plan->limit - 1 : 0;
}

static uint64_t most_score(const nimmt_plan *plan) {
    return plan->rounds ? plan->rounds * heads_in(plan) : before_end(plan) + heads_in(plan);
}

int nimmt_plan_check(const nimmt_plan *plan) {
    nimmt_stream stream = {{1, 0, 0, 0}};
    nimmt_round round;
    int seat;
    if (plan->exceed > 1 || plan->reserved || nimmt_deal(&round, plan->players, plan->highest, plan->flags, &stream)) {
        return NIMMT_E_STATE;
    }
    for (seat = 0; seat < plan->players; seat++) {
        if (plan->policies[seat] >= NIMMT_POLICIES) {
            return NIMMT_E_POLICY;
        }
    }
    if (most_score(plan) > 65535) {
        return NIMMT_E_LIMIT;
    }
    return nimmt_variant_usable(plan->variant) ? 0 : NIMMT_E_VARIANT;
}

/* Can the tally hold so many games? No sum grows by more than the largest of these squares a game. */
static int check_tally(const nimmt_plan *plan, const nimmt_tally *tally, uint64_t games) {
    uint64_t score = most_score(plan), most = score * score;
    uint64_t rounds = plan->rounds ? plan->rounds : plan->players * before_end(plan) + 1;
    most = MAX(most, rounds * rounds);
    most = MAX(most, (uint64_t)NIMMT_WIN);
    return games > UINT64_MAX - tally->games || tally->games + games > UINT64_MAX / most ? NIMMT_E_TALLY : 0;
}

/* Everything in the workspace that a plan decides. */
static void prepare(lanes *w, const nimmt_plan *plan, uint64_t seed) {
    int i, seat, n = plan->players, flags = plan->flags;
    memset(w, 0, sizeof *w);
    w->key[0] = (uint32_t)seed;
    w->key[1] = (uint32_t)(seed >> 32);
    w->players = n;
    w->flags = flags;
    w->dealt = 10 * n + NIMMT_ROWS;
    w->by = flags & (NIMMT_CHEAPEST_FEWEST | NIMMT_CHEAPEST_MOST) ? 224 : 0;
    w->flip = flags & NIMMT_CHEAPEST_MOST ? 224 : 0;
    w->right = flags & NIMMT_TIE_RIGHT ? 255 : 0;
    w->left = flags & NIMMT_TIE_LEFT ? 255 : 0;
    memset(w->forced, 255, sizeof w->forced);
    memset(w->chosen, 255, sizeof w->chosen); /* seats that are not there sort last */
    memset(w->drawn, 255, FRONT * LANES);
    for (seat = 0; seat < n; seat++) {
        int policy = plan->policies[seat];
        w->policies[seat] = (uint8_t)policy;
        w->drawing += policy == NIMMT_RANDOM || policy == NIMMT_RANDOM_ROWS;
        w->redraws |= policy == NIMMT_RANDOM_ROWS;
    }
    /* The draw for the last card of a hand decides nothing: where all draws are made in advance, its byte stays 0. */
    w->draws = w->dealt + w->drawing * (NIMMT_TURNS - !w->redraws);
    for (i = 0; i < MOST_DRAWS; i++) {
        w->range[i] = 1;
    }
    for (i = 0; i < w->draws; i++) {
        int turn = i < w->dealt ? 0 : (i - w->dealt) / w->drawing;
        w->range[i] = (uint32_t)(i < w->dealt ? plan->highest - i : NIMMT_TURNS - turn);
        w->bias[i] = i < w->dealt ? (uint32_t)(i + 1) * 0x01010101u : 0;
    }
    if (!w->redraws) {
        w->draws = (w->draws + 3) / 4 * 4;
    }
    for (i = 0; i < NIMMT_CARDS; i++) {
        memset(w->step[FRONT + i], i + 1, LANES);
    }
    for (i = 0; i < WORDS; i++) { /* which byte of which word is which lane depends on the machine */
        uint32_t word = (uint32_t)i * 0x01010101u + ((uint32_t)WORDS << 8 | (uint32_t)WORDS << 17 | (uint32_t)WORDS * 3 << 24);
        memcpy(w->stream + 4 * i, &word, 4);
    }
}

/* Games --------------------------------------------------------------------------------------------------------------- */

typedef struct job {
    const nimmt_plan *plan;
    uint64_t seed, first, games, next;
    uint16_t *scores;
    uint32_t *rounds;
    nimmt_tally *tally;
    int active;
} job;

/* The next game for a lane. */
static void start(const job *j, lanes *w, int lane, uint64_t game) {
    int seat, stream = w->stream[lane];
    w->game[lane] = game;
    w->round[lane] = 0;
    w->counter[0][stream] = (uint32_t)(j->first + game);
    w->counter[1][stream] = (uint32_t)((j->first + game) >> 32);
    w->counter[2][stream] = 0;
    for (seat = 0; seat < w->players; seat++) {
        w->score[seat][lane] = 0;
    }
}

static void advance(job *j, lanes *w, int lane) {
    w->active[lane] = j->next < j->games;
    if (w->active[lane]) {
        start(j, w, lane, j->next++);
        j->active++;
    }
}

/* The round of a lane in the scalar core. */
static void replay(const job *j, lanes *w, int lane) {
    nimmt_stream stream;
    nimmt_round round;
    int seat;
    nimmt_stream_seed(&stream, j->seed, j->first + w->game[lane], w->round[lane], 0);
    nimmt_deal(&round, j->plan->players, j->plan->highest, j->plan->flags, &stream);
    nimmt_playout(&round, j->plan->policies, &stream);
    for (seat = 0; seat < w->players; seat++) {
        w->heads[seat][lane] = round.heads[seat];
    }
}

static void tally_heads(const lanes *w, nimmt_tally *tally) {
    int seat, lane;
    for (seat = 0; seat < w->players; seat++) {
        const uint8_t *heads = w->heads[seat];
        uint64_t *histogram = tally->heads_histogram[seat];
        for (lane = 0; lane < LANES; lane++) {
            histogram[heads[lane]] += w->active[lane];
        }
    }
}

static void tally_game(const lanes *w, int lane, nimmt_tally *tally) {
    uint64_t rounds = w->round[lane];
    int seat, n = w->players, winners = 0;
    unsigned least = 65535;
    for (seat = 0; seat < n; seat++) {
        unsigned score = w->score[seat][lane];
        tally->scores[seat] += score;
        tally->scores_squares[seat] += (uint64_t)score * score;
        tally->scores_histogram[seat][MIN(score, NIMMT_SCORE_BINS - 1u)]++;
        winners = score < least ? 1 : winners + (score == least);
        least = MIN(score, least);
    }
    for (seat = 0; seat < n; seat++) {
        if (w->score[seat][lane] == least) {
            tally->wins[seat] += (uint64_t)(NIMMT_WIN / winners);
        }
    }
    tally->games++;
    tally->rounds += rounds;
    tally->rounds_squares += rounds * rounds;
    tally->rounds_most = MAX(tally->rounds_most, rounds);
    tally->rounds_histogram[MIN(rounds, NIMMT_ROUNDS_BINS - 1u)]++;
}

/* Sums of heads are in the histogram. */
static void sum_heads(const nimmt_plan *plan, nimmt_tally *tally) {
    int seat;
    uint64_t heads;
    for (seat = 0; seat < plan->players; seat++) {
        tally->heads[seat] = tally->heads_squares[seat] = 0;
        for (heads = 0; heads < NIMMT_HEADS_BINS; heads++) {
            tally->heads[seat] += heads * tally->heads_histogram[seat][heads];
            tally->heads_squares[seat] += heads * heads * tally->heads_histogram[seat][heads];
        }
    }
}

/* The game of a lane is over. */
static void finish(job *j, lanes *w, int lane) {
    int seat, n = w->players;
    if (j->scores) {
        uint16_t *scores = j->scores + w->game[lane] * (uint64_t)n;
        for (seat = 0; seat < n; seat++) {
            scores[seat] = w->score[seat][lane];
        }
    }
    if (j->rounds) {
        j->rounds[w->game[lane]] = w->round[lane];
    }
    if (j->tally) {
        tally_game(w, lane, j->tally);
    }
    j->active--;
    advance(j, w, lane);
}

/* One round in all lanes. */
static void play_round(job *j, lanes *w, const variant *v) {
    const nimmt_plan *plan = j->plan;
    uint32_t most = (uint32_t)before_end(plan);
    int lane;
    int again = v->play(w);
    for (lane = 0; again && lane < LANES; lane++) {
        if (w->alarm[w->stream[lane]] <= ALARM && w->active[lane]) {
            replay(j, w, lane);
        }
    }
    v->score(w->score, w->top, (const bytes *)w->heads, w->players);
    if (j->tally) {
        tally_heads(w, j->tally);
    }
    for (lane = 0; lane < LANES; lane++) {
        w->round[lane]++;
        if (w->active[lane] && (plan->rounds ? w->round[lane] >= plan->rounds : w->top[lane] > most)) {
            finish(j, w, lane);
        }
    }
}

size_t nimmt_workspace_size(void) {
    return sizeof(lanes) + 63;
}

int nimmt_simulate(const nimmt_plan *plan, uint64_t seed, uint64_t first, uint64_t games, uint16_t *scores, uint32_t *rounds,
                   nimmt_tally *tally, void *workspace) {
    lanes *w = (lanes *)(((uintptr_t)workspace + 63) & ~(uintptr_t)63);
    int number = plan->variant == NIMMT_VARIANT_BEST ? nimmt_variant_best() : plan->variant;
    int lane, error = nimmt_plan_check(plan);
    job j;
    if (!error && games && first > UINT64_MAX - (games - 1)) {
        error = NIMMT_E_GAMES;
    }
    if (!error && tally) {
        error = check_tally(plan, tally, games);
    }
    if (error) {
        return error;
    }
    j.plan = plan;
    j.seed = seed;
    j.first = first;
    j.games = games;
    j.next = 0;
    j.scores = scores;
    j.rounds = rounds;
    j.tally = tally;
    j.active = 0;
    prepare(w, plan, seed);
    for (lane = 0; lane < LANES; lane++) {
        advance(&j, w, lane);
    }
    while (j.active) {
        play_round(&j, w, VARIANTS + number - NIMMT_VARIANT_BASELINE);
    }
    if (tally) {
        sum_heads(plan, tally);
    }
    return 0;
}
