/* Worlds and playouts over the scalar core; nimmt_rollouts.h says what the function promises. */
#include "nimmt_rollouts.h"
#include <string.h>

/* Cards to deal: those neither seen nor in a hand, ascending. */
typedef struct deck {
    uint8_t cards[NIMMT_CARDS];
    int count;
} deck;

static int hand_size(const nimmt_round *r) {
    return NIMMT_TURNS - r->turn - (r->phase == NIMMT_TAKE);
}

static void unseen(const nimmt_round *r, deck *d) {
    uint8_t held[256] = {0}; /* by any byte: the round is not checked yet */
    int seat, i, card;
    for (seat = 0; seat < NIMMT_SEATS; seat++) {
        for (i = 0; i < NIMMT_TURNS; i++) {
            held[r->hands[seat][i]] = 1;
        }
    }
    d->count = 0;
    for (card = 1; card <= NIMMT_CARDS && card <= r->highest; card++) {
        if (!held[card] && !(r->seen[(card - 1) >> 3] >> ((card - 1) & 7) & 1)) {
            d->cards[d->count++] = (uint8_t)card;
        }
    }
}

/* Puts a card into a hand that has n, ascending. */
static void insert(uint8_t *hand, int n, uint8_t card) {
    for (; n > 0 && hand[n - 1] > card; n--) {
        hand[n] = hand[n - 1];
    }
    hand[n] = card;
}

/* Deals to the hidden seats, whose hands are empty. Without a stream the lowest cards. */
static void deal(nimmt_round *r, int hidden, deck d, nimmt_stream *stream) {
    int seat, n, i = 0, size = hand_size(r);
    for (seat = 0; seat < r->players; seat++) {
        for (n = 0; hidden >> seat & 1 && n < size; n++, i++) {
            int j = stream ? i + (int)nimmt_stream_below(stream, (uint32_t)(d.count - i)) : i;
            uint8_t card = d.cards[j];
            d.cards[j] = d.cards[i];
            insert(r->hands[seat], n, card);
        }
    }
}

/* 0, or why these are not rollouts. */
static int refuses(const nimmt_round *position, int seat, int hidden, const uint8_t *policies, const deck *d) {
    static const uint8_t EMPTY[NIMMT_TURNS];
    nimmt_round r = *position;
    int i, cards = 0;
    if (r.players < 2 || r.players > NIMMT_SEATS || r.phase > NIMMT_OVER || r.turn > NIMMT_TURNS || hidden < 0 ||
        hidden >> r.players || r.flags & NIMMT_UNKNOWN_HANDS) {
        return NIMMT_E_STATE;
    }
    if (seat < 0 || seat >= r.players) {
        return NIMMT_E_SEAT;
    }
    for (i = 0; i < r.players; i++) {
        if (policies[i] >= NIMMT_POLICIES) {
            return NIMMT_E_POLICY;
        }
        if (hidden >> i & 1) {
            cards += hand_size(&r);
            if (i == seat || memcmp(r.hands[i], EMPTY, sizeof EMPTY) != 0) {
                return NIMMT_E_STATE;
            }
        }
    }
    if (r.phase == NIMMT_CHOOSE) {
        memset(r.chosen, 0, sizeof r.chosen);
    }
    if (cards > d->count) {
        return NIMMT_E_STATE;
    }
    deal(&r, hidden, *d, 0);
    if (nimmt_check(&r)) {
        return NIMMT_E_STATE;
    }
    return r.phase == NIMMT_OVER ? NIMMT_E_PHASE : r.phase == NIMMT_TAKE && r.owes != seat ? NIMMT_E_OWES : 0;
}

/* The moves of the seat, ascending: its cards, or the rows it may take. Returns how many. */
static int moves_of(const nimmt_round *r, int seat, uint8_t *moves) {
    int row, count = 0;
    if (r->phase == NIMMT_CHOOSE) {
        memcpy(moves, r->hands[seat], NIMMT_TURNS);
        return hand_size(r);
    }
    for (row = 0; row < NIMMT_ROWS; row++) {
        if (r->allowed >> row & 1) {
            moves[count++] = (uint8_t)row;
        }
    }
    return count;
}

/* Plays a world to its end after a move. */
static void play(nimmt_round *r, int seat, int move, const uint8_t *policies, nimmt_stream stream) {
    if (r->phase == NIMMT_CHOOSE) {
        r->chosen[seat] = (uint8_t)move;
    } else {
        nimmt_take(r, seat, move, 0);
    }
    nimmt_playout(r, policies, &stream);
}

int nimmt_rollouts(const nimmt_round *position, int seat, int hidden, const uint8_t *policies, uint64_t seed, uint64_t first,
                   uint64_t worlds, uint64_t *heads, uint64_t *squares) {
    nimmt_round start = *position, world, r;
    uint8_t moves[NIMMT_TURNS];
    deck d;
    uint64_t w;
    int error, count, m, other;
    unseen(position, &d);
    error = refuses(position, seat, hidden, policies, &d);
    if (error) {
        return error;
    }
    count = moves_of(&start, seat, moves);
    if (start.phase == NIMMT_CHOOSE) {
        memset(start.chosen, 0, sizeof start.chosen);
    }
    for (w = 0; w < worlds; w++) {
        nimmt_stream stream;
        nimmt_stream_seed(&stream, seed, first + w, 0, NIMMT_USE_WORLDS);
        world = start;
        deal(&world, hidden, d, &stream);
        for (m = 0; m < count; m++) {
            r = world;
            play(&r, seat, moves[m], policies, stream);
            for (other = 0; other < r.players; other++) {
                uint32_t taken = (uint32_t)(r.heads[other] - start.heads[other]);
                heads[m * r.players + other] += taken;
                squares[m] += other == seat ? taken * taken : 0;
            }
        }
    }
    return count;
}
