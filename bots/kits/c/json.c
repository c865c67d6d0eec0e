#include "json.h"

#include <stdlib.h>
#include <string.h>

static const char *space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

static const char *string_end(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

const char *json_end(const char *at) {
    if (!at)
        return NULL;
    at = space(at);
    if (*at == '"')
        return string_end(at);
    if (*at != '{' && *at != '[')
        return at + strcspn(at, ",]} \t\r\n");
    int depth = 0;
    do {
        if (*at == '"') {
            at = string_end(at);
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth > 0 && *at);
    return at;
}

/* The item after this one, or NULL after the last. */
static const char *next(const char *at) {
    at = space(json_end(at));
    return *at == ',' ? space(at + 1) : NULL;
}

/* The first item of an object or array, or NULL of an empty one. */
static const char *first(const char *at, char opening, char closing) {
    if (!at || *(at = space(at)) != opening)
        return NULL;
    at = space(at + 1);
    return *at && *at != closing ? at : NULL;
}

bool json_is(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && value[0] == '"' && strncmp(value + 1, text, length) == 0 && value[length + 1] == '"';
}

const char *json_member(const char *object, const char *key) {
    for (const char *at = first(object, '{', '}'); at;) {
        const char *value = space(json_end(at));
        if (*value != ':')
            return NULL;
        value = space(value + 1);
        if (json_is(at, key))
            return value;
        at = next(value);
    }
    return NULL;
}

const char *json_item(const char *array, long index) {
    const char *at = first(array, '[', ']');
    while (at && index-- > 0)
        at = next(at);
    return at;
}

long json_length(const char *array) {
    long length = 0;
    for (const char *at = first(array, '[', ']'); at; at = next(at))
        length++;
    return length;
}

long json_long(const char *value, long other) {
    return value && (*value == '-' || (*value >= '0' && *value <= '9')) ? strtol(value, NULL, 10) : other;
}
