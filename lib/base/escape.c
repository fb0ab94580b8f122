#include "base/escape.h"

void escape_put(struct buf *to, uint32_t code)
{
	const unsigned char bytes[] = {(unsigned char)(code >> 16), (unsigned char)(code >> 8), (unsigned char)code};

	if (code == '\n' || code == '\t' || code == '\r') {
		buf_char(to, '\\');
		buf_char(to, code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
	} else if (code < 0xa0) {
		buf_lit(to, "\\x");
		buf_hex(to, bytes + 2, 1);
	} else if (code < 0x10000) {
		buf_lit(to, "\\u");
		buf_hex(to, bytes + 1, 2);
	} else {
		buf_lit(to, "\\U00");
		buf_hex(to, bytes, 3);
	}
}
