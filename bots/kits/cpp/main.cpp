// A bot that plays a random legal move. Make it better: everything that you may know is in `observation`.
//
// std::cerr is the log that you read beside the replay; std::cout is for answers alone.

#include "haunt.hpp"

// The id of one of the legal moves.
static long choose(const Json &observation, const std::vector<Json> &legal, haunt::Match &match) {
    (void)observation;
    return legal[match.dice(legal.size())].member("id").number();
}

int main() { return haunt::play(choose); }
