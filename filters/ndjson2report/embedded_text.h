/* embedded_text: the style and the script of the page, which the build makes into C (scripts/dev/embed/text-to-c). */
#ifndef EMBEDDED_TEXT_H
#define EMBEDDED_TEXT_H

#include <stddef.h>

struct embedded_text {
	const char *const *lines; /* each with its newline; NULL-terminated */
	const char *sha256;       /* the digest of all lines, in base64 */
};

extern const struct embedded_text page_css, page_js;

#endif
