#include "io/decompress_format.h"

#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

/* `bits` is the binary logarithm of the window; zlib adds 16 to it for gzip, and negates it for data without header. */
enum { GZIP = 15 + 16, ZLIB = 15, DEFLATE = -15 };

static const char damaged[] = "gzip data is damaged; only the data before the damage was read";

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

/*
 * ISA-L decodes the symbols of blocks, which takes most of the time; zlib does the rest. ISA-L alone would not return
 * the same content as zlib: it accepts incomplete sets of codes, which give up to 100 kB of noise; it accepts unknown
 * flags of gzip; after an invalid distance, it returns bytes that it has not written; and it does not return the last
 * symbols of input that is cut short, because it decodes up to three symbols at once.
 *
 * zlib reads the header of each block before ISA-L does. ISA-L must not read beyond the block, so each block is a
 * stream of its own for ISA-L: the bit that marks the last block is set, and the preceding content is the dictionary.
 * The bits that ISA-L has read, but not used, are in its member read_in. If ISA-L fails, and at the end of the input,
 * zlib decodes the rest: it has read the codes in the header, and it gets these bits and the preceding content.
 */
enum { WINDOW = ISAL_DEF_HIST_SIZE };

struct inflater {
	int bits;
	/* Returns true if the next step may be called without more input or room. */
	bool (*step)(struct inflater *, struct decompress_data *);
	bool last;      /* the block is the last one */
	bool described; /* zlib has read the header of the block */
	z_stream z;
	struct inflate_state s;
	unsigned char rest[8];            /* whole bytes of read_in, as input of zlib */
	uint32_t sum, size;               /* of the content: CRC-32 or Adler-32; number of bytes modulo 2^32 */
	uint32_t trailer;                 /* four bytes of the trailer */
	unsigned n_trailer;               /* number of bytes of the trailer that have been read */
	unsigned char window[2 * WINDOW]; /* the last n_window bytes of the content */
	size_t n_window;
};

/* --- content */

/* Adds n bytes at d->out to the content. */
static void add_content(struct inflater *m, struct decompress_data *d, size_t n)
{
	const unsigned char *p = d->out;
	size_t kept;

	d->out += n;
	d->room -= n;
	if (m->bits == GZIP)
		m->sum = crc32_gzip_refl(m->sum, p, n);
	else if (m->bits == ZLIB)
		m->sum = isal_adler32(m->sum, p, n);
	m->size += (uint32_t)n;
	if (n > WINDOW) {
		p += n - WINDOW;
		n = WINDOW;
	}
	if (m->n_window + n > sizeof m->window) {
		kept = WINDOW - n;
		memmove(m->window, m->window + m->n_window - kept, kept);
		m->n_window = kept;
	}
	memcpy(m->window + m->n_window, p, n);
	m->n_window += n;
}

/* Returns the preceding content to which a block can refer. */
static struct str dictionary(const struct inflater *m)
{
	const size_t n = m->n_window < WINDOW ? m->n_window : WINDOW;

	return (struct str){(const char *)m->window + m->n_window - n, n};
}

/* --- zlib */

/* Calls zlib. Returns false if the data is damaged. */
static bool call_zlib(struct inflater *m, int flush)
{
	int r = inflate(&m->z, flush);

	if (r == Z_MEM_ERROR)
		mem_exhausted("inflate");
	return r == Z_OK || r == Z_BUF_ERROR;
}

/* Sets the input of zlib. The bytes are not consumed. */
static void show_input(struct inflater *m, const struct decompress_data *d)
{
	m->z.next_in = d->in;
	m->z.avail_in = (unsigned)d->n;
}

/* Consumes the input that zlib has read. */
static void consume_input(struct inflater *m, struct decompress_data *d)
{
	d->in = m->z.next_in;
	d->n = m->z.avail_in;
	m->z.avail_in = 0;
}

/* Sets the input of zlib to the bits that ISA-L has read, but not used. */
static void show_rest(struct inflater *m, uint64_t bits, int length)
{
	const int odd = length % 8;
	size_t n = 0;

	(void)inflatePrime(&m->z, -1, 0);
	(void)inflatePrime(&m->z, odd, (int)(bits & 0xff));
	for (bits >>= odd; n < (size_t)length / 8; bits >>= 8)
		m->rest[n++] = bits & 0xff;
	m->z.next_in = m->rest;
	m->z.avail_in = (unsigned)n;
}

/* --- steps: each sets the next one --- */

static bool at_end(struct inflater *m, struct decompress_data *d)
{
	(void)m;
	(void)d;
	return false;
}

static bool at_damage(struct inflater *m, struct decompress_data *d)
{
	(void)m;
	(void)d;
	return false;
}

static bool go_to(struct inflater *m, bool (*step)(struct inflater *, struct decompress_data *))
{
	m->step = step;
	return true;
}

static bool read_trailer(struct inflater *m, struct decompress_data *d)
{
	const unsigned most = m->bits == GZIP ? 8 : m->bits == ZLIB ? 4 : 0;
	uint32_t byte;
	unsigned at;

	m->s.read_in >>= m->s.read_in_length % 8; /* the trailer begins with a whole byte */
	m->s.read_in_length -= m->s.read_in_length % 8;
	while (m->n_trailer < most) {
		if (m->s.read_in_length) {
			byte = m->s.read_in & 0xff;
			m->s.read_in >>= 8;
			m->s.read_in_length -= 8;
		} else if (d->n) {
			byte = *d->in++;
			d->n--;
		} else {
			return false;
		}
		at = m->n_trailer++ % 4;
		m->trailer |= byte << 8 * (m->bits == GZIP ? at : 3 - at);
		if (at < 3)
			continue;
		if (m->trailer != (m->n_trailer == 4 ? m->sum : m->size))
			return go_to(m, at_damage);
		m->trailer = 0;
	}
	return go_to(m, at_end);
}

/* zlib decodes the rest of the data, up to the damage or the end. */
static bool read_with_zlib(struct inflater *m, struct decompress_data *d)
{
	const bool rest = m->z.avail_in > 0;
	bool good;

	if (!rest)
		show_input(m, d);
	m->z.next_out = d->out;
	m->z.avail_out = (unsigned)d->room;
	good = call_zlib(m, Z_NO_FLUSH);
	if (!rest)
		consume_input(m, d);
	d->out = m->z.next_out;
	d->room = m->z.avail_out;
	return good ? rest && !m->z.avail_in : go_to(m, at_damage);
}

/* Moves decoded content from the buffer of ISA-L to d->out; then zlib decodes the rest. */
static bool move_pending(struct inflater *m, struct decompress_data *d)
{
	size_t n = (size_t)(m->s.tmp_out_valid - m->s.tmp_out_processed);
	struct str content;

	n = n < d->room ? n : d->room;
	memcpy(d->out, m->s.tmp_out_buffer + m->s.tmp_out_processed, n);
	m->s.tmp_out_processed += (int)n;
	add_content(m, d, n);
	if (m->s.tmp_out_processed < m->s.tmp_out_valid)
		return false;
	content = dictionary(m);
	(void)inflateSetDictionary(&m->z, (const unsigned char *)content.p, (unsigned)content.n);
	return go_to(m, read_with_zlib);
}

static bool begin_block(struct inflater *m, struct decompress_data *d);

static bool read_block(struct inflater *m, struct decompress_data *d)
{
	const bool begun = m->s.block_state != ISAL_BLOCK_NEW_HDR && m->s.block_state != ISAL_BLOCK_HDR;
	const int pending = m->s.tmp_out_valid - m->s.tmp_out_processed, length = m->s.read_in_length;
	const uint64_t bits = m->s.read_in;
	const bool describe = !m->described;
	int r, done;

	if (describe) {
		show_input(m, d);
		if (!call_zlib(m, Z_TREES)) {
			consume_input(m, d);
			return go_to(m, at_damage);
		}
		m->described = m->z.data_type & 256;
	}
	m->s.next_in = d->in;
	m->s.avail_in = (uint32_t)d->n;
	m->s.next_out = d->out;
	m->s.avail_out = (uint32_t)d->room;
	r = isal_inflate(&m->s);
	if (r >= 0) {
		d->in = m->s.next_in;
		d->n = m->s.avail_in;
		add_content(m, d, (size_t)(m->s.next_out - d->out));
		if (m->s.block_state == ISAL_BLOCK_FINISH)
			return go_to(m, m->last ? read_trailer : begin_block);
		if (!d->last || d->n || !d->room || !m->described)
			return false;
		show_rest(m, m->s.read_in, m->s.read_in_length);
		return go_to(m, move_pending);
	}
	/* Only what was pending is valid. zlib repeats the rest of this call. */
	done = pending < (int64_t)d->room ? pending : (int)d->room;
	add_content(m, d, (size_t)done);
	m->s.tmp_out_valid = m->s.tmp_out_processed + pending - done;
	if (begun)
		show_rest(m, bits, length);
	else if (describe)
		consume_input(m, d);
	return go_to(m, move_pending);
}

static bool begin_block(struct inflater *m, struct decompress_data *d)
{
	const struct str content = dictionary(m);
	uint64_t bits = m->s.read_in;
	int length = m->s.read_in_length;

	if (!length) {
		if (!d->n)
			return false;
		bits = *d->in++;
		d->n--;
		length = 8;
	}
	(void)inflateReset2(&m->z, DEFLATE);
	show_rest(m, bits, length);
	if (!call_zlib(m, Z_TREES))
		return go_to(m, at_damage);
	m->described = m->z.data_type & 256;
	m->last = bits & 1;
	isal_inflate_reset(&m->s);
	(void)isal_inflate_set_dict(&m->s, (unsigned char *)content.p, (uint32_t)content.n);
	m->s.read_in = bits | 1;
	m->s.read_in_length = length;
	return go_to(m, read_block);
}

/* Reads the header of gzip or zlib. */
static bool read_header(struct inflater *m, struct decompress_data *d)
{
	bool good;

	show_input(m, d);
	good = call_zlib(m, Z_BLOCK);
	consume_input(m, d);
	if (!good)
		return go_to(m, at_damage);
	return m->z.data_type & 128 ? go_to(m, begin_block) : false;
}

/* --- the inflater --- */

static void reset_gzip(void *state)
{
	struct inflater *m = state;

	(void)inflateReset2(&m->z, m->bits);
	isal_inflate_reset(&m->s);
	m->step = m->bits == DEFLATE ? begin_block : read_header;
	m->sum = m->bits == ZLIB;
	m->size = m->trailer = 0;
	m->n_trailer = 0;
	m->n_window = 0;
}

static void *new_gzip(int bits)
{
	static unsigned char no_room[1];
	struct inflater *m = mem_zero(1, sizeof *m);

	m->bits = bits;
	m->z.next_out = no_room; /* zlib writes nothing until read_with_zlib() gives it room */
	if (inflateInit2(&m->z, bits) != Z_OK)
		mem_exhausted("inflate");
	isal_inflate_init(&m->s);
	reset_gzip(m);
	return m;
}

static enum decompress_step decode_gzip(void *state, struct decompress_data *d, struct fault *f)
{
	struct inflater *m = state;

	while (m->step(m, d))
		;
	if (m->step != at_damage)
		return m->step == at_end ? DECOMPRESS_END : DECOMPRESS_MORE;
	*f = (struct fault){.what = damaged};
	return DECOMPRESS_FAILED;
}

static void free_gzip(void *state)
{
	struct inflater *m = state;

	inflateEnd(&m->z);
	free(m);
}
#else
static void *new_gzip(int bits)
{
	z_stream *z = mem_zero(1, sizeof *z);

	if (inflateInit2(z, bits) != Z_OK)
		mem_exhausted("inflate");
	return z;
}

static void reset_gzip(void *state)
{
	(void)inflateReset(state);
}

static enum decompress_step decode_gzip(void *state, struct decompress_data *d, struct fault *f)
{
	z_stream *z = state;
	int r;

	z->next_in = d->in;
	z->avail_in = (unsigned)d->n;
	z->next_out = d->out;
	z->avail_out = (unsigned)d->room;
	r = inflate(z, Z_NO_FLUSH);
	d->in = z->next_in;
	d->n = z->avail_in;
	d->out = z->next_out;
	d->room = z->avail_out;
	switch (r) {
	case Z_OK:
	case Z_BUF_ERROR:
		return DECOMPRESS_MORE;
	case Z_STREAM_END:
		return DECOMPRESS_END;
	case Z_MEM_ERROR:
		*f = (struct fault){.what = "inflate", .error = ENOMEM};
		return DECOMPRESS_FAILED;
	default:
		*f = (struct fault){.what = damaged};
		return DECOMPRESS_FAILED;
	}
}

static void free_gzip(void *state)
{
	inflateEnd(state);
	free(state);
}
#endif

const struct decompress_format decompress_gzip = {
    .bits = GZIP,
    .magics = {{"\x1f\x8b", 2, 0xff}},
    .new = new_gzip,
    .reset = reset_gzip,
    .decode = decode_gzip,
    .free = free_gzip,
    .cut = "gzip data is cut short; only the data before the cut was read",
    .garbage = "garbage after the gzip data; ignored",
    .padded = true,
};

const struct decompress_format decompress_zlib = {
    .bits = ZLIB,
    .new = new_gzip,
    .decode = decode_gzip,
    .free = free_gzip,
};

const struct decompress_format decompress_deflate = {
    .bits = DEFLATE,
    .new = new_gzip,
    .decode = decode_gzip,
    .free = free_gzip,
};
