#include "member_file.h"

#include "io/temp_file.h"
#include "json/scan.h"
#include "json/write.h"
#include "record/event_attach.h"

#include <stdlib.h>
#include <unistd.h>

enum { PIECE = 1 << 18 }; /* bytes that are written or read at once */

bool member_file_open(struct member_file *m, struct fault *f)
{
	m->fd = temp_file_open(f);
	return m->fd >= 0;
}

void member_file_close(struct member_file *m)
{
	close(m->fd);
	buf_free(&m->buf);
}

static bool flush(struct member_file *m, struct fault *f)
{
	if (!temp_file_write(m->fd, m->buf.p, m->buf.n, m->size, f))
		return false;
	m->size += m->buf.n;
	m->buf.n = 0;
	return true;
}

bool member_file_add(struct member_file *m, struct str record, struct fault *f)
{
	const uint64_t n = record.n;

	buf_add(&m->buf, &n, sizeof n);
	buf_add(&m->buf, record.p, record.n);
	return m->buf.n < PIECE || flush(m, f);
}

/* The part of the file that is in memory. */
struct window {
	uint64_t at; /* offset of the next byte of the file */
	size_t used;
	struct buf text;
};

/* Makes the next n bytes of the file available at w->text.p + w->used, followed by SCAN_PAD readable bytes. */
static bool read_more(const struct member_file *m, struct window *w, size_t n, struct fault *f)
{
	const uint64_t left = m->size - w->at;
	size_t more = n > PIECE ? n : PIECE;

	if (w->text.n - w->used >= n)
		return true;
	if (w->used)
		memmove(w->text.p, w->text.p + w->used, w->text.n - w->used);
	w->text.n -= w->used;
	w->used = 0;
	more = more < left ? more : (size_t)left;
	if (!temp_file_read(m->fd, buf_room(&w->text, more + SCAN_PAD), more, w->at, f))
		return false;
	w->text.n += more;
	w->at += more;
	scan_pad(&w->text);
	return true;
}

static struct str make_attachment(struct buf *text, const struct collective_writer_note *note)
{
	text->n = 0;
	json_write_begin(text, "coll", '{');
	json_write_int(text, "id", note->id);
	if (note->has_gid)
		json_write_int(text, "gid", note->gid);
	if (note->n > 1)
		json_write_int(text, "wait", note->wait);
	if (note->n > 1 && note->last)
		json_write_int(text, "late", note->late);
	if (note->n > 1)
		json_write_bool(text, "last", note->last);
	json_write_int(text, "n", note->n);
	json_write_end(text, '}');
	scan_pad(text);
	return json_write_str(text);
}

/* Returns the indexes of the kernels in the job by their number in the input; JOB_NONE for those that were removed. */
static uint32_t *find_kernels(const struct job *j)
{
	const size_t n = j->n + j->doubles;
	uint32_t *list = mem_alloc((n + 1) * sizeof *list);
	size_t i;

	for (i = 0; i < n; i++)
		list[i] = JOB_NONE;
	for (i = 0; i < j->n; i++)
		list[j->kernels[i].number] = (uint32_t)i;
	return list;
}

bool member_file_write(struct member_file *m, struct collective_writer *w, struct out *out, struct fault *f)
{
	const struct job *j = w->source.job;
	uint32_t *kernels = find_kernels(j);
	struct buf text = {0};
	struct window window = {0};
	struct event e;
	uint64_t n;
	size_t i;
	bool good = flush(m, f);

	for (i = 0; good && i < j->n + j->doubles && !out->error; i++) {
		good = read_more(m, &window, sizeof n, f);
		if (!good)
			break;
		memcpy(&n, window.text.p + window.used, sizeof n);
		window.used += sizeof n;
		good = read_more(m, &window, n, f);
		if (good && kernels[i] != JOB_NONE) {
			const struct collective_writer_note note = collective_writer_note(w, kernels[i]);

			event_clear(&e);
			e.raw = (struct str){window.text.p + window.used, n};
			event_attach_write(out, &e, make_attachment(&text, &note));
		}
		window.used += n;
	}
	free(kernels);
	buf_free(&text);
	buf_free(&window.text);
	return good;
}
