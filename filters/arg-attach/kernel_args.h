/* kernel_args: stores the arguments of an OpenCL kernel by index, as the text of members of a JSON object. */
#ifndef KERNEL_ARGS_H
#define KERNEL_ARGS_H

#include "base/mem.h"
#include "base/str.h"

/*
 * Maximum length of the text. It is enough for the 32 KiB of parameters that devices accept, and limits the memory and
 * time that hostile input can use.
 */
enum { KERNEL_ARGS_MOST = 256 << 10 };

struct kernel_args *kernel_args_new(void);
void kernel_args_free(struct kernel_args *k);

/*
 * Returns the members in the order of the argument indexes, with a comma before each: ,"0":24,"1":49. The text is empty
 * when no argument is set. The view is valid until the arguments change.
 */
struct str kernel_args_text(const struct kernel_args *k);

/*
 * Sets an argument: `member` is its part of the text, including the comma before it; an empty text removes the
 * argument. Returns false, and removes the argument, when the text would be longer than KERNEL_ARGS_MOST.
 */
bool kernel_args_set(struct kernel_args *k, uint32_t index, struct str member);
void kernel_args_clear(struct kernel_args *k);

/*
 * Replaces *to by the member for an argument. `key`: the text between the quotes of the key. `value`: a JSON string
 * with the hex digits of the bytes in memory order. Up to 8 bytes become an unsigned integer, read as little-endian;
 * longer values, and all values if `raw`, stay hex. If the value is absent or an empty string, *to becomes empty.
 * Returns false when the value is not hex.
 */
bool kernel_args_member(struct buf *to, struct str key, struct str value, bool raw);

#endif
