/* member_values: a value for each standard field of a record. */
#ifndef MEMBER_VALUES_H
#define MEMBER_VALUES_H

#include "record/event.h"

static const char *const values[EVENT_N] = {"1712195495502094520", "-5", "\"kernel\"", "\"void f<int>(int)\"",
    "\"cat\"", "0", "9", "\"t 1\"", "0", "7", "17", "\"f\\\"1\"", "3", "\"host\"", "4096", "\"h2d\"", "2",
    "{\"a\":[1,{\"ts\":5}],\"name\":\"x\"}", "{}"};

#endif
