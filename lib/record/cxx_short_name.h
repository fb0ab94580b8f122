/* cxx_short_name: shortens names of C++ functions by removing types and arguments. */
#ifndef CXX_SHORT_NAME_H
#define CXX_SHORT_NAME_H

#include "base/mem.h"
#include "base/str.h"

/*
 * Returns a C++ function's name without return type, arguments and template arguments: "void at::native::foo<float,
 * 4>(int)" gives "at::native::foo". The result is `name` itself or a view of *scratch. The parts are recognised as
 * follows; all other text is unchanged:
 * - `(...)` directly after a name is arguments. It is removed with the text that follows it: nothing, qualifiers
 *   (const, &, noexcept), [clone ...] or [with ...]. If `::` follows, only the arguments are removed and the path
 *   continues. Arguments do not begin with a digit or a quote, so "Memcpy HtoD (Pageable -> Device)" and
 *   "module.py(12): forward" are unchanged.
 * - `<...>` directly after a name is template arguments, if `::`, arguments or the end follows.
 * - Words that precede a name with arguments are a return type, if they are known ones (void, const, unsigned ...) and
 *   at most one other word. "wait for foo(x)" is unchanged.
 * - These parts of the path are not removed: (anonymous namespace), <unnamed>, {lambda()#1}, and operators with their
 *   symbol.
 */
struct str cxx_short_name(struct str name, struct buf *scratch);

#endif
