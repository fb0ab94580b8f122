/* nsys: the memory and the options that the readers of the exports of Nsight Systems share. */
#ifndef NSYS_H
#define NSYS_H

#include "trace2ndjson/formats/format.h"

/* The state that the readers store from one file to the next, and the option --strings. */
struct nsys_run {
	bool strings; /* --strings: each string becomes a record */
};
extern const struct opt nsys_options[];

#endif
