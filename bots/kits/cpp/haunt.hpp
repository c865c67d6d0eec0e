// Reads the questions of a match from stdin and writes the answers to stdout, a line of JSON each.

#pragma once

#include <cstdint>
#include <functional>
#include <iostream>
#include <string>

#include "json.hpp"

namespace haunt {

struct Match {
    std::string hello;    // the first line: game, mode, options, seats, seat, clock
    long turn = 0;        // of the question
    long bank_ms = 0;     // CPU time left for this answer and all that follow
    std::uint32_t state = 2166136261u;  // of the dice

    // 0 to sides - 1, the same whenever the same match is played again.
    std::size_t dice(std::size_t sides) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return sides ? state % sides : 0;
    }

    void begin(const std::string &line) {
        hello = line;
        for (char letter : Json(hello).member("seed").string())
            state = (state ^ static_cast<unsigned char>(letter)) * 16777619u;
        if (state == 0) state = 1;
    }
};

using Chooser = std::function<long(const Json &observation, const std::vector<Json> &legal, Match &match)>;

// Play one match; what main returns.
inline int play(const Chooser &choose) {
    Match match;
    std::string line;
    while (std::getline(std::cin, line)) {
        const Json message(line);
        const std::string_view type = message.member("type").string();
        if (type == "move") {
            match.turn = message.member("turn").number();
            match.bank_ms = message.member("clock").member("bank_ms").number();
            const long id = choose(message.member("observation"), message.member("legal").items(), match);
            std::cout << "{\"turn\":" << match.turn << ",\"id\":" << id << "}" << std::endl;
        } else if (type == "hello") {
            match.begin(line);
            std::cout << "{\"type\":\"ready\"}" << std::endl;
        } else if (type == "fault") {
            std::cerr << line << "\n";
        } else if (type == "end") {
            break;
        }
    }
    return 0;
}

}  // namespace haunt
