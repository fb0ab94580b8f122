/* pftrace_packets: a trace is a message that consists of packets: field 1, again and again. */
#include "pftrace.h"

#include <inttypes.h>
#include <stdio.h>

/* The maximum number of bytes of a field's number and length. */
enum { HEAD_MAX = 20 };

/*
 * The service writes a packet that ends with these bytes every few seconds, so that readers find the next packet after
 * damaged data: field 36, and a fixed text.
 */
static const struct str marker = {"\xa2\x02\x10\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc\x33\x32\x6d\x57\xa0\x79", 19};

/* --- recognition --- */

/* The wire type that a field of TracePacket must have; -1 if this number is not known. */
static int wanted_type(uint32_t no)
{
	static const uint32_t numbers[] = {3, 8, 10, 13, 41, 42, 58, 79, 87},
			      messages[] = {1, 2, 5, 6, 11, 12, 36, 43, 44, 50, 52, 53, 59, 60, 66, 133};
	size_t i;

	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (numbers[i] == no)
			return WIRE_VARINT;
	}
	for (i = 0; i < sizeof messages / sizeof *messages; i++) {
		if (messages[i] == no)
			return WIRE_LEN;
	}
	return -1;
}

/* Whether a packet, or the first bytes of one, can be a TracePacket; sets *evident when it has a typical field. */
static bool may_be_packet(struct str packet, bool whole, bool *evident)
{
	struct wire w = wire_of(packet);
	struct wire_field f;
	int type;

	while (wire_next(&w, &f) > 0) {
		type = wanted_type(f.no);
		if ((type >= 0 && type != (int)f.type) || f.no > 2000)
			return false;
		*evident |= type >= 0 && f.no > 3 && f.no != 5;
	}
	return !w.fault || !whole;
}

bool pftrace_packets_probe(struct str head)
{
	uint64_t n, packets = 0;
	bool evident = false, whole;
	int took;

	while (packets < 3 && head.n) {
		if (head.p[0] != '\x0a')
			return false;
		took = wire_varint(str_from(head, 1), &n);
		if (took < 0 || took > 5)
			return false;
		if (took == 0)
			break;
		head = str_from(head, 1 + (size_t)took);
		whole = n <= head.n;
		if (!may_be_packet(str_head(head, whole ? (size_t)n : head.n), whole, &evident))
			return false;
		if (!whole)
			break;
		head = str_from(head, (size_t)n);
		packets++;
	}
	return evident && packets;
}

/* --- reading --- */

/* Loads n bytes into the window; returns false when the input ends before them. */
static bool load(struct source *src, uint64_t n)
{
	while (src->n < n) {
		if (source_more(src) <= 0)
			return false;
	}
	return true;
}

/* Skips n bytes; returns false when the input ends before them. */
static bool skip(struct source *src, uint64_t n)
{
	while (src->n < n) {
		n -= src->n;
		source_skip(src, src->n);
		if (source_more(src) <= 0)
			return false;
	}
	source_skip(src, (size_t)n);
	return true;
}

/* Skips to the end of the next marker; returns false if the file has no further marker. */
static bool find_marker(struct source *src)
{
	size_t at;

	for (;;) {
		at = str_find((struct str){src->p, src->n}, marker);
		if (at < src->n) {
			source_skip(src, at + marker.n);
			return true;
		}
		if (src->n >= marker.n)
			source_skip(src, src->n - marker.n + 1);
		if (source_more(src) <= 0) {
			source_skip(src, src->n);
			return false;
		}
	}
}

/* Reports bytes that are not a packet, and skips to the next packet that can be found. */
static bool resume(struct pftrace *p, struct reader *r, const char *what)
{
	const uint64_t at = r->src->offset;
	char text[200];
	bool found = find_marker(r->src);

	p->cut = true;
	snprintf(text, sizeof text,
	    found ? "%s; %" PRIu64 " bytes skipped, up to a synchronization marker"
		  : "%s; no synchronization marker follows, so the last %" PRIu64 " bytes are skipped",
	    what, r->src->offset - at);
	reader_lost(r, diagnostics_text(r->diagnostics, str_of(text)), 0, at);
	return found;
}

/* Reports the rest of the input, which is too short for a packet. */
static bool report_cut(struct pftrace *p, struct reader *r)
{
	struct source *src = r->src;
	const uint64_t at = src->offset;
	char text[120];

	p->cut = true;
	snprintf(text, sizeof text, "cut short: the last %" PRIu64 " of %" PRIu64 " bytes are not a whole packet",
	    (uint64_t)src->n, at + src->n);
	reader_lost(r, diagnostics_text(r->diagnostics, str_of(text)), 0, at);
	source_skip(src, src->n);
	return false;
}

/*
 * The input ends inside a packet. If the packet's length is damaged, a synchronization marker may follow in the rest of
 * the input.
 */
static bool end_inside(struct pftrace *p, struct reader *r)
{
	const struct str rest = {r->src->p, r->src->n};

	if (str_find(rest, marker) == rest.n)
		return report_cut(p, r);
	return resume(p, r, "packet is longer than the rest of the file");
}

/* Skips a packet that is too large; returns false when the input ends inside it. */
static bool skip_large(struct pftrace *p, struct reader *r, uint64_t n)
{
	p->cut = true;
	if (skip(r->src, n)) {
		reader_lost(r, "packet larger than --max-record; skipped", 0, p->at);
		return true;
	}
	reader_lost(r, "cut short: the file ends inside a packet", 0, p->at);
	return false;
}

/* The beginning of a field of the trace. */
struct field_head {
	uint32_t no;
	size_t size; /* number of bytes that precede the content */
	uint64_t n;  /* number of bytes of the content */
	const char *fault;
};

/* Reads the beginning of the next field. Returns 1; 0 when the input ends inside it; -1 when it is damaged. */
static int read_head(struct source *src, struct field_head *head)
{
	struct str rest = str_head((struct str){src->p, src->n}, HEAD_MAX);
	struct wire w = wire_of(rest);
	struct wire_field f;
	uint64_t tag;
	int took = wire_varint(rest, &tag), more;

	*head = (struct field_head){0};
	if (took > 0 && tag >> 3 && (tag & 7) == WIRE_LEN) {
		more = wire_varint(str_from(rest, (size_t)took), &head->n);
		head->no = (uint32_t)(tag >> 3);
		head->size = (size_t)(took + more);
		head->fault = "length of a packet has more than 10 bytes or 64 bits";
		return more > 0 ? 1 : more;
	}
	if (took != 0 && wire_next(&w, &f) > 0) {
		head->no = f.no;
		head->size = (size_t)(w.p - rest.p);
		return 1;
	}
	head->fault = w.fault;
	return took == 0 || (took > 0 && rest.n < HEAD_MAX && tag >> 3 && (tag & 7) < 3) ? 0 : -1;
}

bool pftrace_packets_next(struct pftrace *p, struct reader *r, struct str *packet)
{
	struct source *src = r->src;
	struct field_head head;
	int got;

	for (;;) {
		load(src, HEAD_MAX);
		if (!src->n)
			return false;
		p->at = src->offset;
		got = read_head(src, &head);
		if (got == 0)
			return report_cut(p, r);
		if (got < 0) {
			if (!resume(p, r, head.fault))
				return false;
		} else if (head.n > r->max_record) {
			source_skip(src, head.size);
			if (!skip_large(p, r, head.n))
				return false;
		} else if (!load(src, head.size + head.n)) {
			if (!end_inside(p, r))
				return false;
		} else {
			*packet = (struct str){src->p + head.size, (size_t)head.n};
			source_skip(src, head.size + (size_t)head.n);
			if (head.no == 1)
				return true;
		}
	}
}
