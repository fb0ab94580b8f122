/* cxx_short_name: names of C++ functions without their types and arguments. */
#ifndef CXX_SHORT_NAME_H
#define CXX_SHORT_NAME_H

#include "base/mem.h"
#include "base/str.h"

/*
 * A C++ function's name without return type, arguments and template arguments:
 * "void at::native::foo<float, 4>(int)" gives "at::native::foo". The result is `name` itself or
 * stands in *scratch. What counts as one, all else stays as it is:
 * - `(...)` is arguments right behind a name, and what follows it goes with it: nothing, qualifiers
 *   (const, &, noexcept), [clone ...], [with ...]; or `::` and more of the path. Arguments do not begin
 *   with a digit or a quote. So "Memcpy HtoD (Pageable -> Device)" and "module.py(12): forward" stay.
 * - `<...>` is template arguments right behind a name, with `::`, arguments or the end behind it.
 * - Before a name with arguments, words are a return type: known ones (void, const, unsigned ...) and
 *   at most one other. "wait for foo(x)" stays.
 * - Parts of the path stay: (anonymous namespace), <unnamed>, {lambda()#1}, operators with their symbol.
 */
struct str cxx_short_name(struct str name, struct buf *scratch);

#endif
