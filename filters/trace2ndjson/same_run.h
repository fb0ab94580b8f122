/* same_run: finds files that seem to hold the same run in different forms. */
#ifndef SAME_RUN_H
#define SAME_RUN_H

/*
 * Prints a note if several of the paths differ only in their endings, such as HOST.xplane.pb and HOST.trace.json.gz:
 * profilers write such files side by side, and the events of their run would be counted twice. `paths` ends with NULL.
 */
void same_run_note(char *const *paths);

#endif
