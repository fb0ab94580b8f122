/*
 * color: the colors of pictures and reports. Each meaning has one color, which is the same in all pictures. Other parts
 * get the colors of a series. Readers with any kind of color blindness can distinguish the colors of a series.
 */
#ifndef COLOR_H
#define COLOR_H

#include "base/str.h"
#include "io/out.h"
#include "record/event.h"

/*
 * A color: its name in the style sheet, its hexadecimal values on light and dark pages, and its numbers in a terminal:
 * of 16 colors the SGR parameter, of 256 the index. The colors that have a meaning are the same in page.css of
 * ndjson2report. In a terminal they can be read on black and on white, and meanings have different numbers. The others
 * are between the colors of both pages: of 16 colors one with the same hue, of 256 the nearest one of the color cube,
 * after the brightness was limited to 90 to 165 of 255.
 */
#define COLORS(X)                                                                                                      \
	X(NONE, "none", "#a9b2bd", "#5f6975", 90, 102)             /* no value, and the sum of all others */           \
	X(COMPUTING, "comp", "#2f6db5", "#5b9be3", 94, 32)         /* kernels */                                       \
	X(COMMUNICATION, "comm", "#d07e00", "#f0a83a", 33, 166)    /* collectives */                                   \
	X(COPY, "copy", "#14806a", "#3fb698", 36, 37)              /* copies and sets */                               \
	X(HOST, "host", "#b9456a", "#e0829b", 95, 204)             /* API calls, waits for the host */                 \
	X(PAUSE, "gap", "#8a94a1", "#7a8592", 90, 244)             /* idle time */                                     \
	X(ANNOTATION, "ann", "#6f5fa6", "#a99bd6", 32, 98)         /* ranges */                                        \
	X(OPERATOR, "op", "#55708c", "#8ba3bb", 31, 67)            /* operators and other calls of the host */         \
	X(WAITING, "wait", "#8a5a00", "#b9842e", 93, 136)          /* collectives that wait for the last rank */       \
	X(COMMUNICATION_2, "comm2", "#f5b95a", "#f8cd8a", 33, 179) /* further collectives in one picture */            \
	X(COMMUNICATION_3, "comm3", "#9a5b00", "#b87514", 33, 130)                                                     \
	X(COPY_2, "copy2", "#5fbfa6", "#8fdcc8", 36, 73) /* further copies in one picture */                           \
	X(COPY_3, "copy3", "#0b4a3d", "#1f7d66", 36, 23)                                                               \
	X(OPERATOR_2, "op2", "#7189a3", "#6f879f", 94, 67) /* every second row of a flame graph */                     \
	X(SERIES_0, "s0", "#332288", "#8f86e0", 94, 61)                                                                \
	X(SERIES_1, "s1", "#88ccee", "#a6dcf7", 36, 110)                                                               \
	X(SERIES_2, "s2", "#117733", "#37a35e", 32, 29)                                                                \
	X(SERIES_3, "s3", "#ddcc77", "#eee09a", 33, 143)                                                               \
	X(SERIES_4, "s4", "#882255", "#b8487f", 31, 132)                                                               \
	X(SERIES_5, "s5", "#44aa99", "#5fcbb9", 36, 73)                                                                \
	X(SERIES_6, "s6", "#cc6677", "#ef8c9c", 31, 174)                                                               \
	X(SERIES_7, "s7", "#999933", "#bcbc55", 33, 143)                                                               \
	X(SERIES_8, "s8", "#dd9977", "#998833", 33, 137)                                                               \
	X(SERIES_9, "s9", "#5566aa", "#224488", 94, 61)                                                                \
	X(SERIES_10, "s10", "#aaddaa", "#ddffcc", 90, 108)                                                             \
	X(SERIES_11, "s11", "#551122", "#664433", 31, 95)                                                              \
	X(SERIES_12, "s12", "#8899ee", "#88aadd", 94, 110)                                                             \
	X(SERIES_13, "s13", "#553300", "#555500", 33, 58)                                                              \
	X(SERIES_14, "s14", "#442266", "#8866aa", 94, 60)                                                              \
	X(SERIES_15, "s15", "#776688", "#88ffee", 36, 109)                                                             \
	X(HEAT_0, "h0", "#eef2f7", "#1f242c", 90, 102)                                                                 \
	X(HEAT_1, "h1", "#d3e0ef", "#22344c", 90, 103)                                                                 \
	X(HEAT_2, "h2", "#adc8e4", "#284a70", 94, 67)                                                                  \
	X(HEAT_3, "h3", "#7da7d3", "#336394", 94, 67)                                                                  \
	X(HEAT_4, "h4", "#4d85bf", "#4b82bd", 94, 67)                                                                  \
	X(HEAT_5, "h5", "#2b64a3", "#74a8dc", 94, 67)                                                                  \
	X(HEAT_6, "h6", "#173f70", "#b4d4f2", 94, 67)                                                                  \
	X(MORE, "more", "#b9456a", "#e0829b", 31, 168)    /* flame --diff: more than before */                         \
	X(MORE_2, "more2", "#e3a5b8", "#8a4d61", 31, 138) /* a little more */                                          \
	X(LESS_2, "less2", "#a9c3e3", "#3d6492", 94, 103)                                                              \
	X(LESS, "less", "#2f6db5", "#5b9be3", 94, 68)                                                                  \
	X(BAR, "bar", "#7fa8d6", "#3f6a9c", 94, 67) /* bars of any records */                                          \
	X(BACK, "back", "#ffffff", "#14171c", 90, 102)                                                                 \
	X(INK, "ink", "#1a1f27", "#e8ebef", 90, 102)                                                                   \
	X(SOFT, "soft", "#59636f", "#a3adb9", 90, 244)                                                                 \
	X(GRID, "grid", "#d9dde3", "#363c46", 90, 102)

#define COLORS_ENUM(id, name, light, dark, of_16, of_256) COLOR_##id,
enum color {
	COLORS(COLORS_ENUM) COLOR_N,
	COLOR_MEANINGS = COLOR_WAITING + 1 /* the first colors have meanings, which a report can name */
};

enum { COLORS_SERIES = 16, COLORS_HEAT = 7 };

/* Returns the name of a meaning in a report: "computing". */
const char *color_meaning(enum color c);

/* Returns the color of the i-th part of a whole, or the i-th line; colors repeat after COLORS_SERIES. */
static inline enum color color_series(size_t i)
{
	return (enum color)(COLOR_SERIES_0 + i % COLORS_SERIES);
}

/* Returns the color for a share from 0 to 1. */
enum color color_heat(double share);

/* Returns the color of records of a kind; COLOR_SERIES_0 when the kind has no meaning of its own. */
enum color color_of_kind(enum event_kind kind);

/*
 * Returns the color that a name has in all pictures: the name of a kernel that communicates
 * (kernel_names.h), a copy, a kind of records, a type of work. Returns `otherwise` for all other names.
 */
enum color color_of_name(struct str name, enum color otherwise);

/*
 * The colors of the parts of one picture. Parts with the same meaning get shades of its color, and, after the last
 * shade, colors of the series. Zero-initialise.
 */
struct color_use {
	size_t used[COLOR_N], series;
};

/* Returns the color of the next part. */
enum color color_of_part(struct color_use *use, struct str name);

/* Writes the style sheet of all pictures: always the same text, whose rules apply only inside a picture. */
void color_write_style(struct out *o);

const char *color_name(enum color c); /* the name in the style sheet */

/* Returns the number of a color in a terminal with 16 or 256 colors. */
int color_of_terminal(enum color c, int colors);

#endif
