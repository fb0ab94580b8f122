#include "io/folder.h"

#include "base/mem.h"
#include "base/str.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

struct paths {
	char **list; /* NULL-terminated */
	size_t n, cap;
};

bool folder_is(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Takes over the path, which ends with a NUL. */
static void add_path(struct paths *p, struct buf *path)
{
	p->list = mem_grow(p->list, &p->cap, p->n + 2, sizeof *p->list);
	p->list[p->n++] = path->p;
	p->list[p->n] = NULL;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void add_files(struct paths *p, const char *folder)
{
	struct dirent **entries = NULL;
	const int n = scandir(folder, &entries, is_visible, alphasort);
	struct stat about;
	int i;

	for (i = 0; i < n; i++) {
		struct buf path = {0};

		buf_add(&path, folder, strlen(folder));
		if (!str_ends(str_of(folder), STR("/")))
			buf_char(&path, '/');
		buf_add(&path, entries[i]->d_name, strlen(entries[i]->d_name) + 1);
		free(entries[i]);
		if (stat(path.p, &about) == 0 && S_ISREG(about.st_mode))
			add_path(p, &path);
		else
			buf_free(&path);
	}
	free(entries);
}

char **folder_expand(const char *const *paths)
{
	struct paths expanded = {.list = mem_zero(1, sizeof(char *)), .cap = 1};
	const char *const *path;
	size_t n;

	for (path = paths; *path; path++) {
		n = expanded.n;
		if (folder_is(*path))
			add_files(&expanded, *path);
		if (n == expanded.n) {
			struct buf copy = {0};

			buf_add(&copy, *path, strlen(*path) + 1);
			add_path(&expanded, &copy);
		}
	}
	return expanded.list;
}

void folder_free(char **paths)
{
	char **path;

	for (path = paths; *path; path++)
		free(*path);
	free(paths);
}
