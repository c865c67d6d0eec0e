/* Finds its way through a text of JSON without copying it. A value is a pointer to its first character, and
   NULL is a value that is not there: every function takes it and gives "nothing" back.

   Strings are walked over as strings, so a brace or a name inside of one is never taken for the real thing. */

#ifndef JSON_H
#define JSON_H

#include <stdbool.h>

/* Value of a key of an object. */
const char *json_member(const char *object, const char *key);

/* Item of an array, from 0; and how many there are. */
const char *json_item(const char *array, long index);
long json_length(const char *array);

/* Number, or `other` where there is none. */
long json_long(const char *value, long other);

/* Whether a value is this string; `text` has nothing that JSON would escape. */
bool json_is(const char *value, const char *text);

/* Just behind a value. */
const char *json_end(const char *value);

#endif
