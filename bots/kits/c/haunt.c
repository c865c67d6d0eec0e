#include "haunt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long dice(struct match *match, long sides) {
    match->state ^= match->state << 13;
    match->state ^= match->state >> 17;
    match->state ^= match->state << 5;
    return sides > 0 ? (long)(match->state % (uint32_t)sides) : 0;
}

static void begin(struct match *match, const char *line) {
    match->hello = strdup(line);
    match->state = 2166136261u;
    const char *seed = json_member(match->hello, "seed");
    for (const char *end = json_end(seed); seed < end; seed++)
        match->state = (match->state ^ (unsigned char)*seed) * 16777619u;
    if (match->state == 0)
        match->state = 1;
    puts("{\"type\":\"ready\"}");
}

static void answer(struct match *match, const char *line, chooser choose) {
    match->turn = json_long(json_member(line, "turn"), 0);
    match->bank_ms = json_long(json_member(json_member(line, "clock"), "bank_ms"), 0);
    long id = choose(json_member(line, "observation"), json_member(line, "legal"), match);
    printf("{\"turn\":%ld,\"id\":%ld}\n", match->turn, id);
}

int play(chooser choose) {
    struct match match = {0};
    char *line = NULL;
    size_t room = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* an answer leaves with its newline */
    while (getline(&line, &room, stdin) > 0) {
        const char *type = json_member(line, "type");
        if (json_is(type, "move"))
            answer(&match, line, choose);
        else if (json_is(type, "hello"))
            begin(&match, line);
        else if (json_is(type, "fault"))
            fputs(line, stderr);
        else if (json_is(type, "end"))
            break;
    }
    free(line);
    free(match.hello);
    return 0;
}
