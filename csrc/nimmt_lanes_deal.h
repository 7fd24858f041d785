/*
 * The first half of nimmt_lanes.h, which includes it and says how these loops are written: random streams, and the deal.
 */

/* Both sides are computed, as they must be for vectors; one is taken. */
static INLINE uint8_t F(either)(int condition, uint8_t yes, uint8_t no) {
    return condition ? yes : no;
}

/* Random streams ------------------------------------------------------------------------------------------------------ */

#define MIX(a, b, c, d, r, s) \
    x[a] += x[b], x[b] = ROTL(x[b], r) ^ x[a], x[c] += x[d], x[d] = ROTL(x[d], s) ^ x[c]
#define MIX4(r0, s0, r1, s1, r2, s2, r3, s3) \
    MIX(0, 1, 2, 3, r0, s0), MIX(0, 3, 2, 1, r1, s1), MIX(0, 1, 2, 3, r2, s2), MIX(0, 3, 2, 1, r3, s3)
#define INJECT(k0, k1, k2, k3, j) x[0] += (k0), x[1] += (k1), x[2] += (k2), x[3] += (k3) + (uint32_t)(j)

/* nimmt_stream_seed of every lane; two of the four words of the key are 0. */
static NOINLINE void F(seed)(uint32_t (*restrict state)[LANES], uint32_t (*restrict counter)[LANES],
                             uint32_t *restrict alarm, uint32_t key0, uint32_t key1) {
    const uint32_t key4 = 0x1BD11BDAu ^ key0 ^ key1;
    int i;
    for (i = 0; i < LANES; i++) {
        uint32_t x[4];
        x[0] = counter[0][i] + key0;
        x[1] = counter[1][i] + key1;
        x[2] = counter[2][i];
        x[3] = 0;
        MIX4(10, 26, 11, 21, 13, 27, 23, 5), INJECT(key1, 0, 0, key4, 1);
        MIX4(6, 20, 17, 11, 25, 10, 18, 20), INJECT(0, 0, key4, key0, 2);
        MIX4(10, 26, 11, 21, 13, 27, 23, 5), INJECT(0, key4, key0, key1, 3);
        MIX4(6, 20, 17, 11, 25, 10, 18, 20), INJECT(key4, key0, key1, 0, 4);
        MIX4(10, 26, 11, 21, 13, 27, 23, 5), INJECT(key0, key1, 0, 0, 5);
        x[0] |= (x[0] | x[1] | x[2] | x[3]) == 0 ? 1u : 0u;
        state[0][i] = x[0];
        state[1][i] = x[1];
        state[2][i] = x[2];
        state[3][i] = x[3];
        alarm[i] = 0xFFFFFFFFu;
        counter[2][i]++;
    }
}

/*
 * One draw below n. The exact answer is the high word of draw * n unless the low word is below 2^32 mod n; then it is to be
 * drawn again. Without 64-bit products: with m = (draw >> 8) * n, less than 2^31, the high word is m >> 24, unless the
 * 8 bits left out carry into it, for which the low 24 bits of m must be within n of 2^24; and a low word below n needs
 * these 24 bits to be 0. Both together are 104 of 2^24 values: seen as a small value of `watch`, they raise the alarm of
 * the lane, and the scalar core plays the round again. Four lanes share a word, one byte each.
 */
#define NEXT() \
    (d = s0 + s3, d = ROTL(d, 7) + s0, t = s1 << 9, s2 ^= s0, s3 ^= s1, s1 ^= s2, s0 ^= s3, s2 ^= t, s3 = ROTL(s3, 11))
#define DRAW(word, n, shift) \
    (NEXT(), m = (d >> 8) * (n), watch = (m << 8) + ALARM, least = MIN(least, watch), word |= (m >> 24) << (shift))
#define LOAD(lane) (s0 = state[0][lane], s1 = state[1][lane], s2 = state[2][lane], s3 = state[3][lane])
#define STORE(lane) (state[0][lane] = s0, state[1][lane] = s1, state[2][lane] = s2, state[3][lane] = s3)
#define DRAW4(lane, shift) \
    LOAD(lane), least = alarm[lane], DRAW(w0, n0, shift), DRAW(w1, n1, shift), DRAW(w2, n2, shift), DRAW(w3, n3, shift), \
    STORE(lane), alarm[lane] = least
#define DRAW1(lane, shift) LOAD(lane), least = alarm[lane], DRAW(w0, n0, shift), STORE(lane), alarm[lane] = least

static NOINLINE void F(draw4)(uint32_t (*restrict state)[LANES], uint32_t *restrict alarm, uint32_t (*restrict out)[WORDS],
                              const uint32_t *range, const uint32_t *bias) {
    const uint32_t n0 = range[0], n1 = range[1], n2 = range[2], n3 = range[3];
    const uint32_t b0 = bias[0], b1 = bias[1], b2 = bias[2], b3 = bias[3];
    int i;
    for (i = 0; i < WORDS; i++) {
        uint32_t s0, s1, s2, s3, d, t, m, watch, least, w0 = 0, w1 = 0, w2 = 0, w3 = 0;
        DRAW4(i, 0);
        DRAW4(i + WORDS, 8);
        DRAW4(i + 2 * WORDS, 16);
        DRAW4(i + 3 * WORDS, 24);
        out[0][i] = w0 + b0;
        out[1][i] = w1 + b1;
        out[2][i] = w2 + b2;
        out[3][i] = w3 + b3;
    }
}

static NOINLINE void F(draw1)(uint32_t (*restrict state)[LANES], uint32_t *restrict alarm, uint32_t *restrict out,
                              uint32_t n0, uint32_t bias) {
    int i;
    for (i = 0; i < WORDS; i++) {
        uint32_t s0, s1, s2, s3, d, t, m, watch, least, w0 = 0;
        DRAW1(i, 0);
        DRAW1(i + WORDS, 8);
        DRAW1(i + 2 * WORDS, 16);
        DRAW1(i + 3 * WORDS, 24);
        out[i] = w0 + bias;
    }
}

/* The draws from .. to - 1 of the round, for all lanes. */
static void F(draw)(lanes *w, int from, int to) {
    for (; from + 4 <= to; from += 4) {
        F(draw4)(w->state, w->alarm, w->drawn + FRONT + from, w->range + from, w->bias + from);
    }
    for (; from < to; from++) {
        F(draw1)(w->state, w->alarm, w->drawn[FRONT + from], w->range[from], w->bias[from]);
    }
}

/* The two highest bits of one more draw, in lanes whose byte of `need` is 255; the others draw nothing and get 255. */
#define KEEP(k, lane) state[k][lane] = on ? s##k : state[k][lane]
#define DRAW_IF(lane, shift) \
    (on = need[i] >> (shift) & 1u, LOAD(lane), NEXT(), word |= (d >> 30) << (shift), \
     KEEP(0, lane), KEEP(1, lane), KEEP(2, lane), KEEP(3, lane))

static NOINLINE void F(draw_if)(uint32_t (*restrict state)[LANES], const uint32_t *restrict need, uint32_t *restrict out) {
    int i;
    for (i = 0; i < WORDS; i++) {
        uint32_t s0, s1, s2, s3, d, t, on, word = 0;
        DRAW_IF(i, 0);
        DRAW_IF(i + WORDS, 8);
        DRAW_IF(i + 2 * WORDS, 16);
        DRAW_IF(i + 3 * WORDS, 24);
        out[i] = (need[i] & word) | ~need[i];
    }
}

/* The deal ------------------------------------------------------------------------------------------------------------ */

/*
 * Which card does the shuffle leave at place i? It swapped i with place jump[i] >= i, so follow the card back in time: if
 * it is at place p after step k, and jump[k] == p, then it was at place k before. Steps i - 1 .. 0; k < p always, so that
 * one compare and one select a step are all. Places count from 1, as cards do: at the end the place is the card.
 */
#define BACK(p, k) (p = F(either)(jump[k][i] == (p), step[k][i], p))
#define BACK8(p) BACK(p, 7), BACK(p, 6), BACK(p, 5), BACK(p, 4), BACK(p, 3), BACK(p, 2), BACK(p, 1), BACK(p, 0)

/* Four places through eight steps before them. */
static NOINLINE void F(trace)(bytes *restrict place, const bytes *restrict jump, const bytes *restrict step) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t p0 = place[0][i], p1 = place[1][i], p2 = place[2][i], p3 = place[3][i];
        BACK8(p0);
        BACK8(p1);
        BACK8(p2);
        BACK8(p3);
        place[0][i] = p0;
        place[1][i] = p1;
        place[2][i] = p2;
        place[3][i] = p3;
    }
}

/* Eight places through those of their own steps that come before each. */
static NOINLINE void F(trace_own)(bytes *restrict place, const bytes *restrict step) {
    const bytes *jump = (const bytes *)place;
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t p7 = place[7][i], p6 = place[6][i], p5 = place[5][i], p4 = place[4][i];
        uint8_t p3 = place[3][i], p2 = place[2][i], p1 = place[1][i];
        BACK(p7, 6), BACK(p7, 5), BACK(p7, 4), BACK(p7, 3), BACK(p7, 2), BACK(p7, 1), BACK(p7, 0);
        BACK(p6, 5), BACK(p6, 4), BACK(p6, 3), BACK(p6, 2), BACK(p6, 1), BACK(p6, 0);
        BACK(p5, 4), BACK(p5, 3), BACK(p5, 2), BACK(p5, 1), BACK(p5, 0);
        BACK(p4, 3), BACK(p4, 2), BACK(p4, 1), BACK(p4, 0);
        BACK(p3, 2), BACK(p3, 1), BACK(p3, 0);
        BACK(p2, 1), BACK(p2, 0);
        BACK(p1, 0);
        place[7][i] = p7;
        place[6][i] = p6;
        place[5][i] = p5;
        place[4][i] = p4;
        place[3][i] = p3;
        place[2][i] = p2;
        place[1][i] = p1;
    }
}

/* Blocks of eight from the last to the first; the rows in front of the deck have jumps that lead nowhere. */
static void F(shuffle)(lanes *w) {
    bytes *deck = (bytes *)w->drawn;
    int block, before;
    for (block = FRONT + w->dealt - 8; block + 8 > FRONT; block -= 8) {
        F(trace_own)(deck + block, (const bytes *)w->step + block);
        for (before = block - 8; before + 8 > FRONT; before -= 8) {
            F(trace)(deck + block + 4, (const bytes *)deck + before, (const bytes *)w->step + before);
            F(trace)(deck + block, (const bytes *)deck + before, (const bytes *)w->step + before);
        }
    }
}

/* Sorts ten cards, or fewer with 255 for the others; 29 comparisons are the fewest for ten, and 9 for five. */
#define SORT2(a, b) t = MIN(a, b), b = MAX(a, b), a = t
static NOINLINE void F(sort10)(bytes *restrict to, uint8_t *restrict sum, const bytes *restrict from) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t a = from[0][i], b = from[1][i], c = from[2][i], d = from[3][i], e = from[4][i], f = from[5][i];
        uint8_t g = from[6][i], h = from[7][i], j = from[8][i], k = from[9][i], t;
        sum[i] = U(a + b + c + d + e + f + g + h + j + k);
        SORT2(a, j), SORT2(b, k), SORT2(c, h), SORT2(d, f), SORT2(e, g);
        SORT2(a, c), SORT2(b, e), SORT2(f, j), SORT2(h, k);
        SORT2(a, d), SORT2(c, e), SORT2(f, h), SORT2(g, k);
        SORT2(a, b), SORT2(d, g), SORT2(j, k);
        SORT2(b, f), SORT2(c, d), SORT2(e, j), SORT2(g, h);
        SORT2(b, c), SORT2(d, f), SORT2(e, g), SORT2(h, j);
        SORT2(c, d), SORT2(e, f), SORT2(g, h);
        SORT2(d, e), SORT2(f, g);
        to[0][i] = a, to[1][i] = b, to[2][i] = c, to[3][i] = d, to[4][i] = e;
        to[5][i] = f, to[6][i] = g, to[7][i] = h, to[8][i] = j, to[9][i] = k;
    }
}

static NOINLINE void F(sort5)(bytes *restrict to, const bytes *restrict from) {
    int i;
    for (i = 0; i < LANES; i++) {
        uint8_t a = from[0][i], b = from[1][i], c = from[2][i], d = from[3][i], e = from[4][i], t;
        SORT2(a, d), SORT2(b, e), SORT2(a, c), SORT2(b, d), SORT2(a, b), SORT2(c, e), SORT2(b, c), SORT2(d, e), SORT2(c, d);
        to[0][i] = a, to[1][i] = b, to[2][i] = c, to[3][i] = d, to[4][i] = e;
    }
}

#undef MIX
#undef MIX4
#undef INJECT
#undef NEXT
#undef DRAW
#undef LOAD
#undef STORE
#undef DRAW4
#undef DRAW1
#undef KEEP
#undef DRAW_IF
#undef BACK
#undef BACK8
#undef SORT2
