/*
 * database_wal: checks the -wal file of a database. SQLite uses its frames, which contain pages, up to the first one
 * that is not valid. This is no damage at the end of the file, where older frames can follow, with another salt.
 */
#include "database_private.h"

enum { HEADER = 32, FRAME = 24, SALT = 8 };

static uint32_t number_at(const char *text, bool big)
{
	const unsigned char *p = (const unsigned char *)text;

	return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
		   : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void add_to_sum(uint32_t sum[2], const char *p, size_t n, bool big)
{
	size_t i;

	for (i = 0; i < n; i += 8) {
		sum[0] += number_at(p + i, big) + sum[1];
		sum[1] += number_at(p + i + 4, big) + sum[0];
	}
}

static bool is_sum_at(const uint32_t sum[2], const char *p)
{
	return number_at(p, true) == sum[0] && number_at(p + 4, true) == sum[1];
}

static bool load(struct source *src, size_t n)
{
	while (src->n < n && source_more(src) > 0)
		;
	return src->n >= n;
}

static bool is_damaged(struct source *src)
{
	uint32_t sum[2] = {0, 0}, magic;
	char salt[SALT];
	bool big, valid;
	size_t page;

	if (!load(src, HEADER + FRAME))
		return false;
	magic = number_at(src->p, true);
	big = magic & 1;
	page = number_at(src->p + 8, true);
	add_to_sum(sum, src->p, HEADER - SALT, big);
	if ((magic | 1) != 0x377f0683 || page < 512 || page > 65536 || page % 8 ||
	    !is_sum_at(sum, src->p + HEADER - SALT))
		return true;
	memcpy(salt, src->p + 16, SALT);
	source_skip(src, HEADER);
	for (valid = true; load(src, FRAME + page); source_skip(src, FRAME + page)) {
		const bool current = memcmp(src->p + 8, salt, SALT) == 0;

		if (!valid && current)
			return true;
		add_to_sum(sum, src->p, 8, big);
		add_to_sum(sum, src->p + FRAME, page, big);
		valid = valid && current && is_sum_at(sum, src->p + 16);
	}
	return false;
}

void database_check_wal(struct reader *r)
{
	struct buf name = {0};
	struct source *src;
	struct fault fault;

	buf_add(&name, r->path, strlen(r->path));
	buf_add(&name, "-wal", 5);
	src = source_open(name.p, &fault);
	buf_free(&name);
	if (!src)
		return; /* missing, or SQLite cannot read it either: see open_database() */
	if (is_damaged(src))
		reader_lost(r, "the -wal file beside the database is damaged; later changes in it are missing", 0, 0);
	source_close(src);
}
