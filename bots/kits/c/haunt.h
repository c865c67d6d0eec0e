/* Reads the questions of a match from stdin and writes the answers to stdout, a line of JSON each. */

#ifndef HAUNT_H
#define HAUNT_H

#include <stdint.h>

#include "json.h"

struct match {
    char *hello;     /* the first line: game, mode, options, seats, seat, clock */
    long turn;       /* of the question */
    long bank_ms;    /* CPU time left for this answer and all that follow */
    uint32_t state;  /* of the dice */
};

typedef long (*chooser)(const char *observation, const char *legal, struct match *match);

/* Play one match; what main returns. */
int play(chooser choose);

/* 0 to sides - 1, the same whenever the same match is played again. */
long dice(struct match *match, long sides);

#endif
