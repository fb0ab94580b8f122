/* fault: a failure that library code reports to its caller, and its place in a file. */
#ifndef FAULT_H
#define FAULT_H

#include <stddef.h>
#include <stdint.h>

/*
 * A place in a file. `file` is its name for messages, NULL where only the caller knows it; the name must remain valid.
 * `line` counts from 1 and is 0 where there are no lines; `byte` is an offset: in the line if there is one (from 1),
 * otherwise in the file (from 0).
 */
struct fault_place {
	const char *file;
	uint64_t line, byte;
};

/*
 * A failure. Library code sets one and prints nothing. `what` is static text in lower case without a full stop.
 * `error` is an errno value, or 0, or FAULT_REFUSED: a failure that `what` describes completely.
 */
enum { FAULT_REFUSED = -1 };
struct fault {
	const char *what;
	int error;
	struct fault_place at;
};

#endif
