/* kernel_args: the arguments of an OpenCL kernel by their numbers, as the text of an object's members. */
#ifndef KERNEL_ARGS_H
#define KERNEL_ARGS_H

#include "base/mem.h"
#include "base/str.h"

/* More than the 32 KiB of parameters that any device takes, as text: hostile input shall be neither large nor slow. */
enum { KERNEL_ARGS_MOST = 256 << 10 };

struct kernel_args *kernel_args_new(void);
void kernel_args_free(struct kernel_args *k);

/*
 * The members in the order of their numbers, with a comma before each: ,"0":24,"1":49. Empty when no argument is set. The
 * view lives until the arguments change.
 */
struct str kernel_args_text(const struct kernel_args *k);

/*
 * Sets an argument: `member` is its part of the text, with the comma; an empty one takes the argument out. False,
 * and it is taken out, when the text would be longer than KERNEL_ARGS_MOST.
 */
bool kernel_args_set(struct kernel_args *k, uint32_t index, struct str member);
void kernel_args_clear(struct kernel_args *k);

/*
 * An argument's member, in *to, which is emptied: `key` as it stands between quotes; `value` is JSON, the bytes as a
 * string of hex digits, in the order of memory. Up to 8 bytes become a whole number without sign, the first one the
 * lowest; more, and all of them if `raw`, stay hex. Without a value, or with none in it, *to stays empty. False when
 * the value is no hex.
 */
bool kernel_args_member(struct buf *to, struct str key, struct str value, bool raw);

#endif
