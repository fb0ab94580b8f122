/* decompress_formats: finds the format of compressed data, and decompresses data that is completely in memory. */
#include "io/decompress.h"
#include "io/decompress_format.h"

#include <string.h>

static const struct decompress_format *const formats[] = {&decompress_gzip, &decompress_zstd};

int decompress_format_begins(const struct decompress_format *format, const unsigned char *p, size_t n)
{
	const struct decompress_magic *m;
	int r = 0;

	if (!n)
		return -1;
	for (m = format->magics; m < format->magics + 2; m++) {
		if (!m->n || (p[0] & m->mask) != (unsigned char)m->p[0] ||
		    memcmp(p + 1, m->p + 1, (n < m->n ? n : m->n) - 1) != 0)
			continue;
		if (n >= m->n)
			return 1;
		r = -1;
	}
	return r;
}

int decompress_begins(const char *head, size_t n)
{
	int r = 0, one;
	size_t i;

	for (i = 0; i < sizeof formats / sizeof *formats && r <= 0; i++) {
		one = decompress_format_begins(formats[i], (const unsigned char *)head, n);
		r = one ? one : r;
	}
	return r;
}

const struct decompress_format *decompress_format_of(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (i + 1 < sizeof formats / sizeof *formats && decompress_format_begins(formats[i], p, n) <= 0)
		i++;
	return formats[i];
}

/* --- data that is completely in memory --- */

enum { PIECE = 64 * 1024 };

static bool failed(struct fault *f, const char *what)
{
	*f = (struct fault){.what = what};
	return false;
}

/* Decompresses with a state of the format; see decompress_block(). */
static bool decode(
    const struct decompress_format *format, void *state, struct str in, size_t max, struct buf *out, struct fault *f)
{
	const size_t begin = out->n;
	struct decompress_data d = {0};
	enum decompress_step step = DECOMPRESS_MORE;
	size_t n, left;

	while (step == DECOMPRESS_MORE) {
		n = in.n < PIECE ? in.n : PIECE;
		if (!n && !d.full)
			return failed(f, "compressed data is cut short");
		left = max - (out->n - begin);
		d.in = (unsigned char *)in.p;
		d.n = n;
		/* The byte after the last allowed one shows that the content is larger. */
		d.room = left < PIECE ? left + 1 : PIECE;
		d.out = (unsigned char *)buf_room(out, d.room);
		step = format->decode(state, &d, f);
		out->n += (size_t)((char *)d.out - (out->p + out->n));
		in = str_from(in, n - d.n);
		d.full = !d.room;
		if (out->n - begin > max) {
			out->n = begin + max;
			return failed(f, "content of compressed data is larger than --max-record");
		}
	}
	return step == DECOMPRESS_END || failed(f, "compressed data is damaged");
}

bool decompress_block(enum decompress_block kind, struct str in, size_t max, struct buf *out, struct fault *f)
{
	static const struct decompress_format *const kinds[] = {
	    [DECOMPRESS_BLOCK_ZLIB] = &decompress_zlib,
	    [DECOMPRESS_BLOCK_DEFLATE] = &decompress_deflate,
	    [DECOMPRESS_BLOCK_ZSTD] = &decompress_zstd,
	};
	const struct decompress_format *format = kinds[kind];
	void *state;
	bool good;

	if (!format->new)
		return failed(f, "this build cannot read zstd data (no libzstd)");
	state = format->new ();
	good = decode(format, state, in, max, out, f);
	format->free(state);
	return good;
}
