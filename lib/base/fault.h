/* fault: a failure that library code reports to its caller, and its location in a file. */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A location in a file. `file` is the name of the file for messages, and must remain valid; it is NULL where only the
 * caller knows the name. `line` is a line number, counted from 1, or 0 where there are no lines. `byte` is the position
 * in the line, counted from 1; where there are no lines, it is the offset in the file, counted from 0, or
 * FAULT_WHOLE_FILE.
 */
#define FAULT_WHOLE_FILE UINT64_MAX
struct fault_location {
	const char *file;
	uint64_t line, byte;
};

/*
 * A failure. Library code stores it in a struct fault and prints nothing. `what` is static text in lower case without a
 * full stop. `error` is an errno value, 0, or FAULT_REFUSED for a failure that `what` describes completely. `cut` means
 * that the input ends too early.
 */
enum { FAULT_REFUSED = -1 };
struct fault {
	const char *what;
	int error;
	bool cut;
	struct fault_location at;
};

/* Sets *f to the reason why a text is invalid and to the position of the error; returns false. */
static inline bool fault_refuse(struct fault *f, const char *what, uint64_t at)
{
	*f = (struct fault){.what = what, .at.byte = at};
	return false;
}

#endif
