/* page: the style of the page has the palette of pictures. */
#include "base/embedded_text.h"
#include "picture/color.h"
#include "test.h"

#include <stdio.h>

static bool has_style(const char *text)
{
	const char *const *line;

	for (line = page_css.lines; *line; line++) {
		if (strstr(*line, text))
			return true;
	}
	return false;
}

void unit_test(void)
{
#define LIGHT(id, name, light, dark, of_16, of_256) light,
#define DARK(id, name, light, dark, of_16, of_256) dark,
	static const char *const light[] = {COLORS(LIGHT)}, *const dark[] = {COLORS(DARK)};
	char text[64];
	int i;

	for (i = COLOR_COMPUTING; i < COLOR_MEANINGS; i++) {
		snprintf(text, sizeof text, "--%s: %s;", color_meaning((enum color)i), light[i]);
		CHECK(has_style(text));
		snprintf(text, sizeof text, "--%s: %s;", color_meaning((enum color)i), dark[i]);
		CHECK(has_style(text));
	}
}
