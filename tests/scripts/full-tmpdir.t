#!/bin/sh
# full-tmpdir.t: runs every script with a folder for temporary files that is too small. A script that exits 0 must print
# the complete answer; one that exits 2 must print one message, without the path of a temporary file. No file may be
# left. Each call gets a folder of one of three sizes, with TEST_ALL=1 of each size.
# shellcheck disable=SC2154 # calls.sh sets variables
. "${0%/*}/../lib.sh"
only_slow_follow # each script runs
! sanitized || { skip 'temporary folders of scripts are not tested under a sanitizer'; finish; }
. "$TESTS/scripts/calls.sh"
# A small file system must be mounted, which users may do in a namespace of their own.
mkdir tmp
if ! unshare --user --map-root-user --mount mount -t tmpfs -o size=4k none "$PWD/tmp" 2>/dev/null; then
	skip 'no small file system can be mounted (unshare, tmpfs)'
	finish
fi

TMPDIR=$PWD/tmp
export TMPDIR
cat >small <<'E'
# small SIZE: runs the commands in the file `list` with a temporary folder of this size; prints what is wrong.
mount -t tmpfs -o size="$1" none tmp || exit
while IFS='	' read -r number call <&3; do
	sh -c "$call" </dev/null >out 2>err
	status=$?
	# A script may write several files at once: each writer reports that the disk is full, in the same words.
	grep -a -v -x -F -f "$number.err" err | sort -u >new
	if [ "$status" = "$(cat "$number.status")" ]; then
		case $call in
		tune-threads*) ;; # it prints times
		*) cmp -s out "$number.out" || echo "$1: $call: status $status, and another answer: $(cat new)" ;;
		esac
	elif [ "$status" != 2 ] || [ "$(wc -l <new)" != 1 ]; then
		echo "$1: $call: status $status, messages: $(cat new)"
	fi
	! grep -F "$TMPDIR" new || echo "$1: $call: a message has a path of $TMPDIR"
	[ ! "$(ls tmp)" ] || { echo "$1: $call: left $(ls tmp)" && rm -rf tmp/*; }
	echo "$call" >>runs
done 3<"list.$1"
E
number=0
printf '%s\n' "$calls" | while IFS= read -r call; do
	number=$((number + 1))
	sh -c "$call" </dev/null >$number.out 2>$number.err
	echo $? >$number.status
	printf '%s\t%s\n' "$number" "$call"
done >list
every=$(amount 3 3 1)
remainder=0
for size in 4k 16k 64k; do
	awk -v every="$every" -v remainder="$remainder" 'NR % every == remainder % every' list >"list.$size"
	remainder=$((remainder + 1))
	unshare --user --map-root-user --mount sh ./small "$size"
done >wrong 2>&1
check "no wrong answer and no missing message in $(wc -l <runs) runs" 0 'cat wrong' </dev/null
check 'every call was run' 0 'cut -f 2 list | sort >want; sort -u runs | comm -3 - want' </dev/null

finish
