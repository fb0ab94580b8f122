/* copy_direction: the direction of a copy, from the name that a profiler gives to the copy. */
#ifndef COPY_DIRECTION_H
#define COPY_DIRECTION_H

#include "base/str.h"

/*
 * Returns the direction as JSON ("h2d" in quotes) for a text that contains two ends of a copy, such as HtoD, H2D,
 * HostToDevice, Host-to-Device, HOST_TO_DEVICE. p is NULL if the text does not name a direction.
 */
struct str copy_direction(struct str text);

#endif
