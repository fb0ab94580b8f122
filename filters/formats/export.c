#define _GNU_SOURCE /* environ */
#include "export.h"

#include "temp.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

bool export_is_report(const char *path)
{
	struct str s = str_of(path);

	return str_ends(s, STR(".nsys-rep")) || str_ends(s, STR(".qdrep"));
}

/* The exit status of a command, 127 when it is not there. */
static int run(char **argv)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	int status = 127 << 8;
	pid_t pid;

	/* An interrupt ends nsys, and then us, with nothing left behind. */
	sigaction(SIGINT, &ignore, &before);
	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) == 0) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	sigaction(SIGINT, &before, NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* nsys since 2024 knows jsonlines, before that json with its strings apart; `output` is made. */
static int export(const char *report, const char *output)
{
	char nsys[] = "nsys", command[] = "export", force[] = "--force-overwrite=true", apart[] = "--separate-strings=true";
	char lines[] = "--type=jsonlines", json[] = "--type=json";
	struct buf to = {0};
	char *from = str_dup(str_of(report));
	int status;

	buf_lit(&to, "--output=");
	buf_add(&to, output, strlen(output) + 1);
	status = run((char *[]){nsys, command, lines, force, to.p, from, NULL});
	if (status != 0 && status != 127)
		status = run((char *[]){nsys, command, json, apart, force, to.p, from, NULL});
	buf_free(&to);
	free(from);
	return status;
}

struct src *export_open(const char *path)
{
	struct buf folder = {0}, file = {0};
	struct fault fault;
	struct src *src = NULL;
	int status;

	if (access(path, R_OK) != 0) {
		warn("%s: cannot open:", path);
	} else if (!temp_make_folder(&folder, &fault)) {
		warn_fault(temp_folder(), &fault);
	} else {
		buf_add(&file, folder.p, folder.n);
		buf_add(&file, "/report.json", sizeof "/report.json");
		status = export(path, file.p);
		if (status == 127)
			warn("%s: this binary report takes nsys, which is not in PATH; where it is, run: nsys export "
			     "--type=jsonlines --output=report.jsonl %s",
			    path, path);
		else if (status != 0)
			warn("%s: nsys export failed with status %d", path, status);
		else if (!(src = src_open(file.p, &fault)))
			warn_fault(file.p, &fault);
		unlink(file.p);
		rmdir(folder.p);
	}
	buf_free(&folder);
	buf_free(&file);
	return src;
}
