/*
 * Threads that simulate at the same time, each with a workspace and a tally of its own, for -fsanitize=thread: there is
 * nothing that they share, and their results add up to those of one run. POSIX threads.
 */
#define _POSIX_C_SOURCE 200809L
#include "nimmt_simulate.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, GAMES = 300 };

static const nimmt_plan PLAN = {4, 104, 0, NIMMT_VARIANT_BEST, {0, 1, 3, 4}, 0, 0, 66, 0};
static uint16_t scores[THREADS * GAMES][4], again[THREADS * GAMES][4];

static void *play(void *number) {
    unsigned first = *(const unsigned *)number * GAMES;
    void *workspace = malloc(nimmt_workspace_size());
    nimmt_tally *tally = calloc(1, sizeof *tally);
    int error = !workspace || !tally || nimmt_simulate(&PLAN, 7, first, GAMES, scores[first], NULL, tally, workspace);
    free(workspace);
    free(tally);
    return error ? number : NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    unsigned number[THREADS], i;
    int failed = 0;
    void *workspace = malloc(nimmt_workspace_size());
    for (i = 0; i < THREADS; i++) {
        number[i] = i;
        failed |= pthread_create(&thread[i], NULL, play, &number[i]);
    }
    for (i = 0; i < THREADS; i++) {
        void *error = NULL;
        failed |= pthread_join(thread[i], &error) || error;
    }
    failed |= !workspace || nimmt_simulate(&PLAN, 7, 0, THREADS * GAMES, again[0], NULL, NULL, workspace);
    failed |= memcmp(scores, again, sizeof scores) != 0;
    free(workspace);
    printf("%d threads, %d games: %s\n", THREADS, THREADS * GAMES, failed ? "DIFFERENT" : "equal to one");
    return failed;
}
