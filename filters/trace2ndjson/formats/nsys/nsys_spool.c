#include "nsys.h"
#include "io/temp_file.h"

#include <errno.h>
#include <unistd.h>

/* The bytes that precede each line's text in the file, which is read only by this program. */
struct head {
	uint64_t n, line, offset, clean;
};

static bool failed(struct fault *f, const char *what)
{
	*f = (struct fault){.what = what, .error = errno ? errno : EIO};
	return false;
}

static bool make_file(struct nsys_spool *spool, struct fault *f)
{
	int fd = temp_file_open(f);

	if (fd >= 0 && !(spool->file = fdopen(fd, "w+")))
		close(fd);
	return spool->file ||
	       failed(f, "cannot create a temporary file (TMPDIR) for events that wait for their strings");
}

bool nsys_spool_add(struct nsys_spool *spool, const struct nsys_line *line, struct fault *f)
{
	const struct head head = {line->text.n, line->line, line->offset, line->clean};

	errno = 0;
	if (!spool->file && !make_file(spool, f))
		return false;
	spool->n++;
	return (fwrite(&head, sizeof head, 1, spool->file) == 1 &&
		   fwrite(line->text.p, 1, line->text.n, spool->file) == line->text.n) ||
	       failed(f, "cannot write the temporary file (TMPDIR) for events that wait for their strings");
}

bool nsys_spool_rewind(struct nsys_spool *spool, struct fault *f)
{
	errno = 0;
	return (fflush(spool->file) == 0 && fseek(spool->file, 0, SEEK_SET) == 0) ||
	       failed(f, "cannot write the temporary file (TMPDIR) for events that wait for their strings");
}

bool nsys_spool_next(struct nsys_spool *spool, struct nsys_line *line, struct fault *f)
{
	struct head head;
	char *to;

	errno = 0;
	if (fread(&head, sizeof head, 1, spool->file) != 1)
		return failed(f, "cannot read the temporary file (TMPDIR) for events that wait for their strings");
	/* The text may be read with wide loads, which read bytes after its end. */
	spool->text.n = 0;
	to = buf_room(&spool->text, head.n + SOURCE_PAD);
	if (fread(to, 1, head.n, spool->file) != head.n)
		return failed(f, "cannot read the temporary file (TMPDIR) for events that wait for their strings");
	memset(to + head.n, 0, SOURCE_PAD);
	*line = (struct nsys_line){{to, head.n}, head.line, head.offset, head.clean};
	spool->read++;
	return true;
}

bool nsys_spool_reset(struct nsys_spool *spool, struct fault *f)
{
	errno = 0;
	spool->n = spool->read = 0;
	return (fseek(spool->file, 0, SEEK_SET) == 0 && ftruncate(fileno(spool->file), 0) == 0) ||
	       failed(f, "cannot write the temporary file (TMPDIR) for events that wait for their strings");
}

void nsys_spool_free(struct nsys_spool *spool)
{
	if (spool->file)
		fclose(spool->file); /* errors do not matter, because the contents are not needed any more */
	buf_free(&spool->text);
	*spool = (struct nsys_spool){0};
}
