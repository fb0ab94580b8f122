/* kernel_args: stores the arguments of an OpenCL kernel by number, as the text of an object's members. */
#ifndef KERNEL_ARGS_H
#define KERNEL_ARGS_H

#include "base/mem.h"
#include "base/str.h"

/*
 * A limit above the 32 KiB of parameters that any device takes, as text: hostile input can be neither large nor slow.
 */
enum { KERNEL_ARGS_MOST = 256 << 10 };

struct kernel_args *kernel_args_new(void);
void kernel_args_free(struct kernel_args *k);

/*
 * Returns the members in the order of their numbers, with a comma before each: ,"0":24,"1":49. The text is empty when
 * no argument is set. The view is valid until the arguments change.
 */
struct str kernel_args_text(const struct kernel_args *k);

/*
 * Sets an argument: `member` is its part of the text, with the comma; an empty text removes the argument. Returns
 * false, and removes the argument, when the text would be longer than KERNEL_ARGS_MOST.
 */
bool kernel_args_set(struct kernel_args *k, uint32_t index, struct str member);
void kernel_args_clear(struct kernel_args *k);

/*
 * Replaces *to by the member of an argument. `key`: the text between the quotes, unchanged. `value`: JSON, the bytes as
 * a string of hex digits in memory order. Up to 8 bytes become an unsigned integer, read as little-endian; more bytes,
 * and all bytes if `raw`, stay hex. Without a value, or with an empty string, *to stays empty. Returns false when the
 * value is not hex.
 */
bool kernel_args_member(struct buf *to, struct str key, struct str value, bool raw);

#endif
