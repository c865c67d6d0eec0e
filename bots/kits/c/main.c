/* A bot that plays a random legal move. Make it better: everything that you may know is in `observation`.

   What is written to stderr is the log that you read beside the replay; stdout is for answers alone. */

#include "haunt.h"

/* The id of one of the legal moves. All three are pointers into the line of the question: see json.h. */
static long choose(const char *observation, const char *legal, struct match *match) {
    (void)observation;
    long wanted = dice(match, json_length(legal));
    return json_long(json_member(json_item(legal, wanted), "id"), 0);
}

int main(void) {
    return play(choose);
}
