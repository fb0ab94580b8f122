#include "refusal.h"

#include <stdarg.h>
#include <stdio.h>

bool refuse(struct buf *why, const char *fmt, ...)
{
	char text[300];
	va_list list;
	int n;

	va_start(list, fmt);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang-tidy does not recognise va_start() */
	n = vsnprintf(text, sizeof text, fmt, list);
	va_end(list);
	buf_add(why, text, n > 0 && (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
	return false;
}
