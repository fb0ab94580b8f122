/* embedded_text: the styles and scripts of pages and pictures, which the build makes into C (text-to-c). */
#ifndef EMBEDDED_TEXT_H
#define EMBEDDED_TEXT_H

#include <stddef.h>

struct embedded_text {
	const char *const *lines; /* each with its newline; NULL-terminated */
	const char *sha256;       /* the digest of all lines, in base64 */
};

extern const struct embedded_text page_css, page_js; /* of the pages of ndjson2report */
extern const struct embedded_text flame_js;          /* of the flame graphs of ndjson2svg */

#endif
