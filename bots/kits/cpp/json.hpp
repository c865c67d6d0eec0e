// Finds its way through a text of JSON without copying it. A value that is not there is empty, and every
// function takes that. The text has to live as long as its values do.
//
// Strings are walked over as strings, so a brace or a name inside of one is never taken for the real thing.

#pragma once

#include <charconv>
#include <string_view>
#include <vector>

class Json {
  public:
    Json() = default;
    explicit Json(std::string_view text) : text_(from_value(text)) {}

    bool there() const { return !text_.empty(); }
    std::string_view text() const { return text_.substr(0, end(text_)); }

    // Value of a key of an object.
    Json member(std::string_view key) const {
        for (Json at = first('{', '}'); at.there();) {
            std::string_view rest = from_value(at.text_.substr(end(at.text_)));
            if (rest.empty() || rest[0] != ':') break;
            Json value(rest.substr(1));
            if (at.string() == key) return value;
            at = value.next();
        }
        return {};
    }

    // Items of an array.
    std::vector<Json> items() const {
        std::vector<Json> found;
        for (Json at = first('[', ']'); at.there(); at = at.next()) found.push_back(at);
        return found;
    }

    // Number, or `other` where there is none.
    long number(long other = 0) const {
        std::from_chars(text_.data(), text_.data() + text_.size(), other);
        return other;
    }

    // A string between its quotes, as it stands: escapes are left as they are.
    std::string_view string() const {
        return there() && text_[0] == '"' ? text_.substr(1, end(text_) - 2) : std::string_view();
    }

  private:
    std::string_view text_;  // begins with the value, and goes on to the end of the line

    static std::string_view from_value(std::string_view text) {
        const auto at = text.find_first_not_of(" \t\r\n");
        return at == text.npos ? std::string_view() : text.substr(at);
    }

    static std::size_t string_end(std::string_view text, std::size_t at) {
        for (at++; at < text.size() && text[at] != '"'; at++)
            if (text[at] == '\\') at++;
        return at < text.size() ? at + 1 : text.size();
    }

    // How long the value is that the text begins with.
    static std::size_t end(std::string_view text) {
        if (text.empty()) return 0;
        if (text[0] == '"') return string_end(text, 0);
        if (text[0] != '{' && text[0] != '[') {
            const auto at = text.find_first_of(",]} \t\r\n");
            return at == text.npos ? text.size() : at;
        }
        int depth = 0;
        std::size_t at = 0;
        do {
            const char sign = text[at];
            if (sign == '"') {
                at = string_end(text, at);
                continue;
            }
            depth += (sign == '{' || sign == '[') - (sign == '}' || sign == ']');
            at++;
        } while (depth > 0 && at < text.size());
        return at;
    }

    Json first(char opening, char closing) const {
        if (text_.empty() || text_[0] != opening) return {};
        const Json item(text_.substr(1));
        return item.there() && item.text_[0] != closing ? item : Json();
    }

    Json next() const {
        const std::string_view rest = from_value(text_.substr(end(text_)));
        return !rest.empty() && rest[0] == ',' ? Json(rest.substr(1)) : Json();
    }
};
