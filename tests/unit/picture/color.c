/* The colors of a series differ for readers with normal vision, and with protanopia, deuteranopia or tritanopia. */
#include "picture/color.h"
#include "base/char_class.h"
#include "test.h"

/*
 * From sRGB to the sRGB that a reader with a complete deficiency sees: Machado, Oliveira and Fernandes 2009, table 1.
 */
static const double visions[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};

enum { VISIONS = sizeof visions / sizeof *visions };

static double linear(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double cube(double v)
{
	return v > 216.0 / 24389 ? cbrt(v) : (24389.0 / 27 * v + 16) / 116;
}

/* Converts a color #rrggbb, as seen with a vision, to CIELAB (D65). */
static void to_lab(const char *hex, const double vision[3][3], double *lab)
{
	double rgb[3], seen[3], x, y, z;
	int i;

	for (i = 0; i < 3; i++)
		rgb[i] = linear((hex_value(hex[1 + 2 * i]) * 16 + hex_value(hex[2 + 2 * i])) / 255.0);
	for (i = 0; i < 3; i++)
		seen[i] = fmin(1, fmax(0, vision[i][0] * rgb[0] + vision[i][1] * rgb[1] + vision[i][2] * rgb[2]));
	x = cube((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
	y = cube(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
	z = cube((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

/* Returns the least distance (CIE 1976) of two of the first n colors. */
static double least_distance(const char *const *list, size_t n, const double vision[3][3])
{
	double a[3], b[3], least = 1000;
	size_t i, k;

	for (i = 0; i < n; i++) {
		to_lab(list[i], vision, a);
		for (k = 0; k < i; k++) {
			to_lab(list[k], vision, b);
			least = fmin(least, sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)));
		}
	}
	return least;
}

/*
 * Sixteen parts of a picture have sixteen colors, even if they have the same meaning; all parts without a value one.
 */
static void test_parts(void)
{
	struct color_use use = {{0}, 0};
	bool seen[COLOR_N] = {false};
	enum color c;
	size_t i;

	for (i = 0; i < 16; i++) {
		c = color_of_part(&use, i % 2 ? STR("ncclKernel") : i % 3 ? STR("kernel") : STR("gemm"));
		CHECK(!seen[c]);
		seen[c] = true;
	}
	CHECK_INT(color_of_part(&use, STR("(none)")), COLOR_NONE);
	CHECK_INT(color_of_part(&use, STR("others")), COLOR_NONE);
}

void unit_test(void)
{
#define LIGHT(id, name, light, dark, of_16, of_256) light,
#define DARK(id, name, light, dark, of_16, of_256) dark,
	static const char *const light[] = {COLORS(LIGHT)}, *const dark[] = {COLORS(DARK)};
	size_t i;

	for (i = 0; i < VISIONS; i++) {
		CHECK(least_distance(light + COLOR_SERIES_0, COLORS_SERIES, visions[i]) > 10);
		CHECK(least_distance(dark + COLOR_SERIES_0, COLORS_SERIES, visions[i]) > 10);
	}
	CHECK_INT(color_of_name(STR("ncclKernel_AllReduce"), COLOR_BAR), COLOR_COMMUNICATION);
	CHECK_INT(color_of_name(STR("void deep_ep::internode::combine<false>(int4*)"), COLOR_BAR), COLOR_COMMUNICATION);
	CHECK_INT(color_of_name(STR("Memcpy HtoD"), COLOR_BAR), COLOR_COPY);
	CHECK_INT(color_of_name(STR("kernels"), COLOR_BAR), COLOR_BAR);
	CHECK_INT(color_of_name(STR("Memset + gemm"), COLOR_BAR), COLOR_BAR);
	CHECK_INT(color_heat(0), COLOR_HEAT_0);
	CHECK_INT(color_heat(2), COLOR_HEAT_6);
	for (i = COLOR_COMPUTING; i < COLOR_MEANINGS; i++) {
		size_t k;

		for (k = COLOR_COMPUTING; k < i; k++) {
			CHECK(color_of_terminal((enum color)i, 16) != color_of_terminal((enum color)k, 16));
			CHECK(color_of_terminal((enum color)i, 256) != color_of_terminal((enum color)k, 256));
		}
	}
	test_parts();
}
