/* cxx_short_name: shortens names of C++ functions by removing types and arguments. */
#ifndef CXX_SHORT_NAME_H
#define CXX_SHORT_NAME_H

#include "base/str.h"

/*
 * Returns a C++ function's name without return type, arguments and template arguments: "void at::native::foo<float,
 * 4>(int)" gives "at::native::foo". The result is `name` itself or a view of *scratch. The parts are recognised as
 * follows; all other text is unchanged:
 * - `(...)` directly after a name is an argument list. It is removed, as are qualifiers (const, &, noexcept), [clone
 *   ...] and [with ...] after it. If `::` follows, the path continues after it. If any other text follows, the name is
 *   unchanged. Arguments do not begin with a digit or a quote, so "Memcpy HtoD (Pageable -> Device)" and
 *   "module.py(12): forward" are unchanged.
 * - `<...>` directly after a name is a list of template arguments, if it is followed by `::`, by arguments or by the
 *   end.
 * - Words that precede a name with arguments are a return type, if at most one of them is not a known word (such as
 *   void, const or unsigned). Thus "wait for foo(x)" is unchanged.
 * - These parts of the path are not removed: (anonymous namespace), <unnamed>, {lambda()#1}, and `operator` with its
 *   symbol.
 */
struct str cxx_short_name(struct str name, struct buf *scratch);

#endif
