/* database_file: the file of a database: its content as a plain file, its size, and the files beside it. */
#include "database_private.h"

#include "io/temp_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 100 };

bool database_fail(struct reader *r, const char *what, int error)
{
	r->src->fault = (struct fault){.what = what, .error = error};
	return false;
}

/* Copies the content of the source to a temporary file. */
static bool copy_source(struct database *d, struct reader *r)
{
	struct source *src = r->src;
	uint64_t at = 0;
	struct fault f;

	d->copy = temp_file_open(&f);
	if (d->copy < 0)
		return database_fail(r, "cannot create a temporary file (TMPDIR) for the database", f.error);
	do {
		if (!temp_file_write(d->copy, src->p, src->n, at, &f))
			return database_fail(r, "cannot write the temporary file (TMPDIR) for the database", f.error);
		at += src->n;
		source_skip(src, src->n);
	} while (source_more(src) > 0);
	return src->fault.error == 0;
}

int database_descriptor(struct database *d, struct reader *r)
{
	int fd = source_descriptor(r->src);

	if (fd >= 0)
		return fd;
	return copy_source(d, r) ? d->copy : -1;
}

uint64_t database_size_beside(const char *path, const char *suffix)
{
	struct buf name = {0};
	struct stat st;
	uint64_t size = 0;

	buf_add(&name, path, strlen(path));
	buf_add(&name, suffix, strlen(suffix) + 1);
	if (stat(name.p, &st) == 0)
		size = (uint64_t)st.st_size;
	buf_free(&name);
	return size;
}

static uint64_t number_at(const unsigned char *p)
{
	return (uint64_t)p[0] << 24 | (uint64_t)p[1] << 16 | (uint64_t)p[2] << 8 | p[3];
}

void database_check_size(struct database *d, struct reader *r, int fd)
{
	unsigned char head[HEADER];
	uint64_t page, whole;
	struct stat st;
	char text[160];

	if (fstat(fd, &st) != 0)
		return;
	d->size = (uint64_t)st.st_size;
	if (pread(fd, head, sizeof head, 0) != HEADER || number_at(head + 24) != number_at(head + 92))
		return; /* the header has no valid number of pages */
	page = (uint64_t)head[16] << 8 | head[17];
	whole = number_at(head + 28) * (page == 1 ? 65536 : page);
	if (d->size >= whole)
		return;
	d->cut = true;
	snprintf(text, sizeof text,
	    "database cut short: %" PRIu64 " of %" PRIu64 " bytes are missing; other rows are read", whole - d->size,
	    whole);
	reader_lost(r, diagnostics_text(r->diagnostics, str_of(text)), 0, d->size);
	d->size -= d->size % (whole / number_at(head + 28));
}
