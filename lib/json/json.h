/* json: check and string together, for files that do not yet include one of them. */
#ifndef JSON_H
#define JSON_H

#include "json/check.h"
#include "json/string.h"

#endif
