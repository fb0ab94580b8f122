#include "sans_width.h"

#include "table/text_width.h"

/* Widths of the characters from ' ' to '~'. */
static const uint16_t widths[] = {318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775,
    752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634,
    592, 818, 592, 592, 525, 636, 337, 636, 838};

enum { NARROW = 720, WIDE = 1050 }; /* other characters: those of one and of two columns of a terminal */

size_t sans_width(struct str text)
{
	size_t sum = 0, n, columns;
	uint32_t code;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_decode(text, &code);
		if (n == 1 && code >= ' ' && code <= '~') {
			sum += widths[code - ' '];
			continue;
		}
		n = text_width_first(text, &columns);
		sum += code == 0x2026 ? 1000 : columns == 2 ? WIDE : columns * NARROW;
	}
	return sum;
}
