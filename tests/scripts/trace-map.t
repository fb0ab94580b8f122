#!/bin/sh
# trace-map.t: the merged result has the bytes of one process that reads all files, with GNU parallel, ssh and Slurm;
# also after failures, interrupts and with unusual names. The death of a node is tested by hand, because it takes long.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
only_slow_follow # jobs on three sshd and in a Slurm
. "$TESTS/cluster.sh"
have bash timeout || finish

# traces COUNT: writes so many traces, rank0.json.gz and so on, which differ in all durations.
traces() {
	traces_n=0
	while [ "$traces_n" -lt "$1" ]; do
		case $((traces_n % 3)) in
		0) trace=train.pt.trace.json ;;
		1) trace=train.nsys.json ;;
		2) trace=tiny.pt.trace.json ;;
		esac
		sed "s/\"dur\": *\([0-9]\)/\"dur\": $((traces_n + 1))\1/" "$DATA/$trace" | gzip -c >"rank$traces_n.json.gz"
		traces_n=$((traces_n + 1))
	done
}
traces 8

mkdir none
for program in bash cat sed nproc rm mkdir; do ln -s "$(command -v "$program")" none/; done
check 'GNU parallel is not installed: the message names its package' 2 \
	'PATH=$BUILD/bin:$PWD/none trace-map "groupby {}" rank0.json.gz' <<'E'
--- stderr
trace-map: GNU parallel is not installed (Debian package parallel)
E
check 'Slurm is not installed: the message names its package' 2 \
	'PATH=$BUILD/bin:$PWD/none trace-map --engine slurm "groupby {}" rank0.json.gz' <<'E'
--- stderr
trace-map: sbatch is not installed (Debian package slurm-client)
E

check 'each wrong use has a message, and runs no job' 2 '
	trace-map "groupby {}" </dev/null
	trace-map "groupby" a
	trace-map "groupby \"{}\"" a
	trace-map "trace2ndjson {}" a
	trace-map "groupby {} | cat" a
	trace-map "groupby {} >x" a
	trace-map "groupby -s count {}" a
	trace-map "groupby -g {}; groupby" a
	trace-map "(groupby {} | groupby" a
	trace-map "exit | exit; groupby {}" a
	trace-map "no-such-program {} | groupby" a
	trace-map "trace2ndjson -k nosuch {} | groupby" a 2>&1 | cut -c 1-40 >&2
	trace-map -s nosuch "groupby {}" a
	trace-map -o nosuch "groupby {}" a
	trace-map -s count "stats {}" a
	trace-map --engine x "groupby {}" a
	trace-map --engine ssh "groupby {}" a
	trace-map --engine slurm --hosts a "groupby {}" a
	trace-map -j 0 "groupby {}" a
	trace-map --resume "groupby {}" a
	trace-map --resume --dir nosuch "groupby {}" a
	trace-map --dir none "groupby {}" a
	trace-map --dir rank0.json.gz/x "groupby {}" a' <<'E'
--- stderr
trace-map: FILE is missing; try trace-map -h
trace-map: PIPELINE: expected {} for the file, without quotes; try trace-map -h
trace-map: PIPELINE: expected {} for the file, without quotes; try trace-map -h
trace-map: PIPELINE: expected groupby or stats as the last command; try trace-map -h
trace-map: PIPELINE: expected groupby or stats as the last command; try trace-map -h
trace-map: PIPELINE: expected groupby or stats as the last command; try trace-map -h
trace-map: PIPELINE: --partial and -s cannot be used together; options such as -s precede PIPELINE
trace-map: PIPELINE: expected groupby or stats as the last command; try trace-map -h
trace-map: PIPELINE: syntax error: unexpected end of file
trace-map: PIPELINE: expected groupby or stats as the last command; try trace-map -h
trace-map: PIPELINE: no-such-program: command not found
trace-map: PIPELINE: -k: 'nosuch': expec
trace-map: -s: 'nosuch': expected count, dur_sum, dur_mean, dur_min, dur_max or dur_share
trace-map: -o: 'nosuch': expected ndjson, csv, tsv, raw, md, table or list
trace-map: PIPELINE: --partial needs -f
trace-map: --engine: 'x': expected local, ssh or slurm; try trace-map -h
trace-map: --engine ssh needs --hosts; try trace-map -h
trace-map: --hosts needs --engine ssh; try trace-map -h
trace-map: -j: '0': expected an integer >= 1; try trace-map -h
trace-map: --resume needs --dir; try trace-map -h
trace-map: nosuch: nothing to resume
trace-map: none: not empty; use --resume to continue there, or another --dir
trace-map: cannot create directory 'rank0.json.gz': Not a directory
E

have_parallel && have tar xargs flock || finish

# same NAME QUESTION [OPTION...]: compares the result of trace-map with that of one process. OPTION is one of the merge.
same() {
	same_name=$1 same_question=$2
	shift 2
	trace2ndjson rank?.json.gz | sh -c "$same_question \"\$@\"" question "$@" >want
	trace-map "$@" "trace2ndjson {} | $same_question" rank?.json.gz >got 2>said
	echo "status $?" >>said
	check "$same_name" 0 'cat said; cmp want got && [ -s got ] && echo same' <<'E'
status 0
same
E
}
same 'sums by name' 'groupby -g name,kind'
same 'a table of the first groups, with a row for the others' 'groupby -g name' -s dur_sum -t 3 -u ms -o table
same 'percentiles, deviations, distinct values, and values of the first and the last record' \
	'groupby -g kind -f dur,ts -a count,p50,p99,std,distinct,first,last,list:corr' -o csv
same 'subtotals, with fields that hold sizes' 'groupby -g dev,stream,name --subtotals dev -a sum:dur,sum:corr' \
	--size corr -o md
same 'stats' 'stats -f dur,ts -g kind' -q 90,99 -o list --wide
same 'a histogram' 'stats -f dur' --hist --bins 9 --log -o csv
same 'the fields of records' 'stats --fields' -o table
check 'each run has its own folder, which keeps the partial results' 0 '
	ls -d trace-map.*; ls trace-map.1/parts | head -n 3
	groupby --merge trace-map.2/parts/*.part >want; groupby --merge trace-map.2/partial | cmp - want' <<'E'
trace-map.1
trace-map.2
trace-map.3
trace-map.4
trace-map.5
trace-map.6
trace-map.7
0.err
0.part
1.err
E
rm -rf trace-map.*

check 'a relative PATH or TMPDIR, and a path with ~ or a variable' 0 '
	mkdir home t; ln -s "$BUILD/bin" home/bin
	outside=$(printf %s "$PATH" | tr : "\n" | grep -vxF "$BUILD/bin" | paste -s -d :)
	trace2ndjson rank0.json.gz | groupby -g kind >want
	PATH=$outside home/bin/trace-map "trace2ndjson {} | groupby -g kind" rank0.json.gz | cmp - want
	(PATH=home/bin:$outside; trace-map "trace2ndjson {} | groupby -g kind" rank0.json.gz) | cmp - want
	for program in home/bin/groupby "~/bin/groupby" "\$bin/groupby" "\"\$bin\"/groupby"; do
		HOME=$PWD/home bin=$BUILD/bin TMPDIR=t trace-map "trace2ndjson {} | $program -g kind" rank0.json.gz | cmp - want
	done
	ls t; rm -r home t' </dev/null
rm -rf trace-map.*
check 'runs at the same time have different folders' 0 '
	for _ in 1 2 3 4; do trace-map "groupby -a count {}" rank0.json.gz & done >got 2>&1; wait; ls -d trace-map.*' <<'E'
trace-map.1
trace-map.2
trace-map.3
trace-map.4
E
rm -rf trace-map.*
check 'a folder whose name begins with -, in another folder of CDPATH too' 0 '
	mkdir -p other/-d; CDPATH=$PWD/other; export CDPATH
	trace-map --dir -d "trace2ndjson {} | groupby -a count" rank0.json.gz
	trace-map --dir -d --resume "trace2ndjson {} | groupby -a count" rank0.json.gz; ls other/-d; rm -r other ./-d' <<'E'
{"kind":"groupby/event","count":71}
{"kind":"groupby/event","count":71}
E

# --- failures and losses

cat >bin <<'E'
#!/bin/sh
# Notes each file in `runs`, and fails once for each file *.flaky.
[ "$1" = /dev/null ] || echo "$1" >>runs
[ "$1" = "${1%.flaky}" ] || [ -e "$1.tried" ] || { : >"$1.tried" && echo "$1: fails once" >&2 && exit 3; }
exec trace2ndjson -k kernel --no-args "$1"
E
chmod +x bin
cp rank0.json.gz one.flaky
head -c 3000 "$DATA/train.pt.trace.json" >cut.json
trace2ndjson -k kernel --no-args rank0.json.gz one.flaky rank2.json.gz cut.json 2>/dev/null | groupby -g name >want
check 'a file that fails once is run again; a damaged trace is run once, and its result counts' 1 '
	trace-map "./bin {} | groupby -g name" rank0.json.gz one.flaky rank2.json.gz cut.json >got; status=$?
	cmp want got && sort runs; exit $status' <<'E'
cut.json
one.flaky
one.flaky
rank0.json.gz
rank2.json.gz
--- stderr
trace-map: cut.json: byte 2759: file is cut short: the last event is incomplete
E
check '--lenient: lost records do not change the status' 0 \
	'trace-map --lenient "trace2ndjson -k kernel {} | groupby -g name -a count" cut.json >got' <<'E'
--- stderr
trace-map: cut.json: byte 2759: file is cut short: the last event is incomplete
E
printf '%s\n' '{"name":"a","dur":1}' '{"name' '{"name":"a","dur":2}' >torn.ndjson
check 'records that groupby loses are reported for the file, and by the merge' 1 \
	'trace-map "groupby -g name -a count {}" torn.ndjson' <<'E'
{"kind":"groupby","name":"a","count":2}
--- stderr
trace-map: torn.ndjson:2: not a JSON record; skipped
trace-map: partial:3: record lost when the partial result was made
E
rm -f runs
check 'a file that fails three times is named, and the result has all others' 1 '
	trace2ndjson -k kernel --no-args rank0.json.gz rank2.json.gz | groupby -g name >want
	trace-map --dir d "./bin {} | groupby -g name" rank0.json.gz nosuch rank2.json.gz >got; status=$?
	cmp want got && sort runs; exit $status' <<'E'
nosuch
nosuch
nosuch
rank0.json.gz
rank2.json.gz
--- stderr
trace-map: nosuch: no result: cannot open: No such file or directory
trace-map: 1 of 3 files have no result; to continue, run the same command with --resume --dir d
E
cp rank1.json.gz nosuch
check '--resume runs only what is missing' 0 '
	trace2ndjson -k kernel --no-args rank0.json.gz nosuch rank2.json.gz | groupby -g name -s count -o csv >want
	rm runs; trace-map --resume --dir d -s count -o csv "./bin {} | groupby -g name" \
		rank0.json.gz nosuch rank2.json.gz >got
	cmp want got && cat runs' <<'E'
nosuch
E
printf '%s\n' '{"name":"a","dur":1}' >one.nd
export read
for read in 'groupby -a count <{}' 'cat {} | groupby -a count'; do
	rm -rf r later.nd
	check_re "a file that cannot be opened has no result: $read" 0 '
		trace-map --dir r "$read" one.nd later.nd one.nd; echo $?
		cp one.nd later.nd; trace-map --dir r --resume "$read" one.nd later.nd one.nd' <<'E'
[{]"kind":"groupby","count":2[}]
1
[{]"kind":"groupby","count":3[}]
--- stderr
trace-map: later.nd: no result: (cat: later.nd: )?(cannot open: )?No such file or directory
trace-map: 1 of 3 files have no result; to continue, run the same command with --resume --dir r
E
done
check 'an archive that still arrives is not read' 0 '
	mkdir new && echo 0 >new/0.err && tar -C new -cf - . | head -c 1536 >r/jobs/9.tar && rm -r new
	trace-map --dir r --resume "$read" one.nd later.nd one.nd; ls r/jobs/9.tar' <<'E'
{"kind":"groupby","count":3}
r/jobs/9.tar
E
check '--resume with another pipeline, other files, or in another folder' 2 '
	trace-map --resume --dir d "./bin {} | groupby -g kind" rank0.json.gz nosuch rank2.json.gz
	trace-map --resume --dir d "./bin {} | groupby -g name" nosuch rank0.json.gz rank2.json.gz
	cp bin none/ && d=$PWD/d && cd none &&
		trace-map --resume --dir "$d" "./bin {} | groupby -g name" rank0.json.gz nosuch rank2.json.gz 2>&1 |
		sed "s|$d|d|"; exit 2' <<'E'
trace-map: d: has results of another PIPELINE, of other files, or from another current folder; use another --dir
--- stderr
trace-map: d: has results of another PIPELINE, of other files, or from another current folder; use another --dir
trace-map: d: has results of another PIPELINE, of other files, or from another current folder; use another --dir
E
check 'no file has a result' 2 'trace-map "trace2ndjson {} | (exit 9) | groupby" rank0.json.gz
	trace-map "trace2ndjson {} | (kill -9 \$BASHPID) | groupby" rank0.json.gz nosuch2' <<'E'
--- stderr
trace-map: rank0.json.gz: no result: status 9
trace-map: rank0.json.gz: no result: status 137
trace-map: nosuch2: no result: cannot open: No such file or directory
E
check 'a program that ends before its input is not a failure' 0 \
	'trace-map "trace2ndjson {} | cat | head -n 1 | groupby -a count" rank?.json.gz' <<'E'
{"kind":"groupby","count":8}
E
rm -f rank?.json.gz.* one.* nosuch

# --- names

mkdir names
python3 - <<'E'
import os
names = ["a b", "'\"$(touch pwned)`id`", "{}{#}{1}", "-x", "*?[a]", "n\nl", "\\n\\", "~", "!x;y&z|w<u>v", "t\tab"]
names += ["#", "1:2", "=5"]
for number, name in enumerate(os.fsencode(n) for n in names + ["\udcff\udcfe"]):
    with open(b"names/" + name, "w") as f:
        f.write('{"name":"%d","dur":%d}\n' % (number % 3, number))
E
check 'names with any bytes' 0 'cd names && cat ./* | groupby -g name -a count,sum >../want
	trace-map --dir "../x {}%a" "cat {} | groupby -g name -a count,sum" -- * >../got && cmp ../want ../got
	trace-map --dir ../y "groupby -g name -a count,sum <{}" -- * | cmp ../want; find .. -name pwned' </dev/null

# --- many files

i=0
mkdir many
while [ $i -lt 230 ]; do
	echo "{\"name\":\"n$((i % 7))\",\"dur\":$((i * i % 1009)).25,\"ts\":$i}" >many/$i
	i=$((i + 1))
done
check 'more files than jobs, and more partial results than one merge reads' 0 '
	question="groupby -g name -a count,sum,p50:dur,first:ts,last:ts"
	set -- $(ls many/* | sort -V)
	cat "$@" | $question >want; trace-map --dir m "$question {}" "$@" >got; cmp want got
	ls m/parts/*.part | wc -l; [ $(wc -l <m/job.log) -lt 150 ] || cat m/job.log; ls m' <<'E'
230
engine.log
job.log
jobs
lock
parallel
partial
parts
pending
question
E

mkdir slurm
printf '%s\n' '#!/bin/sh' 'printf "%s\n" "$@" | grep ^--array >&2; exit 1' >slurm/sbatch
chmod +x slurm/sbatch
check 'Slurm: the number of tasks does not depend on the cores of this machine' 2 '
	PATH=$PWD/slurm:$PATH
	for jobs in "" 10; do trace-map ${jobs:+-j $jobs} --engine slurm "groupby {}" many/*; done' <<'E'
--- stderr
trace-map: --array=1-230
trace-map: --array=1-115%10
E
check 'an earlier run with Slurm, without squeue' 2 '
	(IFS=:; for folder in $PATH; do ln -s "$folder"/* slurm/; done) 2>/dev/null; rm -f slurm/squeue
	echo 1 >r/array; PATH=$PWD/slurm timeout 60 trace-map --dir r --resume "$read" one.nd later.nd one.nd' <<'E'
--- stderr
trace-map: squeue is not installed (Debian package slurm-client)
E
rm -rf slurm r trace-map.*

# --- interrupts

cat >slow <<'E'
#!/bin/sh
[ "$1" = /dev/null ] || { echo "$1" >>runs && sleep 0.5; }
exec trace2ndjson -k kernel --no-args "$1"
E
chmod +x slow
trace2ndjson -k kernel --no-args rank?.json.gz | groupby -g name >want
for signal in TERM HUP; do
	rm -rf i runs
	check_re "SIG$signal ends all jobs, and the message says how to continue" 2 '
		trace-map --dir i -j 2 "./slow {} | groupby -g name" rank?.json.gz >got & pid=$!
		until [ -e i/parts/0.part ]; do sleep 0.1; done
		kill -'$signal' $pid; wait $pid; status=$?
		flock -n i/lock true || echo "processes hold the lock"; ls i/parts | grep "[.].*[.]"; exit $status' <<'E'
--- stderr
trace-map: interrupted: [1-5] of 8 files are done; to continue, run the same command with --resume --dir i
E
	check '--resume after a signal runs the other files' 0 'done=$(ls i/parts/*.part | wc -l); : >runs
		trace-map --resume --dir i -j 2 "./slow {} | groupby -g name" rank?.json.gz >got && cmp want got
		[ $((done + $(wc -l <runs))) = 8 ] || echo "$done done before, $(wc -l <runs) run"' </dev/null
done
rm -rf i runs
check '--resume after SIGKILL waits for the jobs that still run' 0 '
	TMPDIR=$PWD trace-map --dir i -j 2 "./slow {} | groupby -g name" rank?.json.gz >got & pid=$!
	until [ -e i/parts/0.part ]; do sleep 0.1; done
	kill -KILL $pid; wait $pid 2>/dev/null
	trace-map --resume --dir i -j 2 "./slow {} | groupby -g name" rank?.json.gz >got && cmp want got; wc -l <runs' <<'E'
8
--- stderr
trace-map: i: waiting for jobs that still run
E

if [ -e /dev/full ]; then
	check 'a full disk for the result' 2 'trace-map "./slow {} | groupby -g name" rank0.json.gz >/dev/full' <<'E'
--- stderr
trace-map: write error: No space left on device
E
fi
mkdir small
if unshare --user --map-root-user --mount mount -t tmpfs -o size=48k none "$PWD/small" 2>/dev/null; then
	check_re 'a full disk for partial results: no partial result is cut, and --resume continues' 0 '
		unshare --user --map-root-user --mount sh -c "
			mount -t tmpfs -o size=60k none small
			trace-map --dir small/d \"trace2ndjson {} | groupby -g name\" rank?.json.gz >got; echo \"status \$?\"
			for part in small/d/parts/*.part; do tail -n 1 \$part | grep -q ^.\\\"end\\\" || echo \"\$part is cut\"; done
			mount -o remount,size=10m small
			trace-map --resume --dir small/d \"trace2ndjson {} | groupby -g name\" rank?.json.gz >got
			echo \"status \$?\"" 2>said
		trace2ndjson rank?.json.gz | groupby -g name | cmp - got
		grep -c "No space left" said; grep -v "^trace-map: " said; :' <<'E'
status [12]
status 0
[1-9][0-9]*
E
else
	skip 'no small file system can be mounted (unshare, tmpfs)'
fi

if have python3; then
	check 'progress on a terminal' 0 'python3 -c "import pty, sys; pty.spawn(sys.argv[1:])" \
		trace-map -j 1 "./slow {} | groupby -a count" rank?.json.gz | tr "\r" "\n" |
		grep -o "^trace-map: [0-8] of 8" | sort -u | head -n 1' <<'E'
trace-map: 0 of 8
E
	check 'the message of an interrupt replaces the progress' 0 '
		python3 -c "import pty, sys; pty.spawn(sys.argv[1:])" sh -c "
			trace-map --dir p -j 1 \"./slow {} | groupby -a count\" rank?.json.gz & pid=\$!
			until [ -e p/parts/0.part ]; do sleep 0.1; done; sleep 0.3; kill \$pid; wait" |
		tr "\r" "\n" | grep -c "^.\[Ktrace-map: interrupted"' <<'E'
1
E
fi

# --- several machines

rm -f rank*
traces 32
question='groupby -g name -a count,sum,mean,std,p50:dur,p99:dur,first:dur,last:dur,share'
trace2ndjson -k kernel rank?.json.gz rank??.json.gz | $question -o table >want
if start_sshd; then
	printf '1/n1 # the first\n\n1/n2\nn3\n' >hosts
	check 'ssh: 32 traces on three machines' 0 '
		trace-map --engine ssh --hosts hosts --dir s -o table "trace2ndjson -k kernel {} | '"$question"'" \
			rank?.json.gz rank??.json.gz >got && cmp want got; cut -f 2 s/job.log | sort -u; find s/jobs -name "*.tar"' <<'E'
n1
n2
n3
E
	! have python3 || check 'ssh: archives are read while others arrive, for the progress on a terminal' 0 '
		python3 -c "import pty, sys; pty.spawn(sys.argv[1:])" sh -c "
			trace-map --engine ssh --hosts hosts --dir t -o table \"trace2ndjson -k kernel {} | '"$question"'\" \
				rank?.json.gz rank??.json.gz >got" >said
		cmp want got; find t/jobs -name "*.tar"; grep -c "trace-map: [1-9][0-9]* of 32" said' <<'E'
1
E
	check 'ssh: names with any bytes' 0 'cd names && cat ./* | groupby -g name -a count,sum >../want.names
		trace-map --engine ssh --hosts ../hosts --dir "../z {}%a" "cat {} | groupby -g name -a count,sum" -- * >../got
		cmp ../want.names ../got; find .. -name pwned' </dev/null
	check_re 'ssh: a host or a file that is missing ends the script before it runs jobs' 2 '
		printf "n1\nn4\n" >h; trace-map --engine ssh --hosts h --dir none/d "groupby {}" rank0.json.gz
		trace-map --engine ssh --hosts hosts --dir none/d "groupby {}" rank0.json.gz no-such-file
		printf "n1\n-oProxyCommand=id\n" >h; trace-map --engine ssh --hosts h --dir none/d "groupby {}" rank0.json.gz
		: >h; trace-map --engine ssh --hosts h --dir none/d "groupby {}" rank0.json.gz
		trace-map --engine ssh --hosts no-such-file --dir none/d "groupby {}" rank0.json.gz; ls -d none/d; exit 2' <<'E'
--- stderr
trace-map: n4: .*(resolve|refused).*
trace-map: n1: no-such-file: cannot open
trace-map: h: '-oProxyCommand=id': expected HOST or JOBS/HOST
trace-map: h: no hosts
trace-map: no-such-file: cannot open
ls: cannot access 'none/d': No such file or directory
E
	stop_cluster sshd
fi
if start_slurm; then
	check 'Slurm: 32 traces on three nodes' 0 '
		trace-map --engine slurm --dir l -o table "trace2ndjson -k kernel {} | '"$question"'" \
			rank?.json.gz rank??.json.gz >got && cmp want got; ls l' <<'E'
engine.log
job.sh
jobs
lock
partial
parts
pending
question
E
	check 'Slurm: failed and damaged files' 1 'trace-map --engine slurm --dir f "trace2ndjson {} | groupby -a count" \
		rank0.json.gz cut.json nosuch >got' <<'E'
--- stderr
trace-map: cut.json: byte 2759: file is cut short: the last event is incomplete
trace-map: nosuch: no result: cannot open: No such file or directory
trace-map: 1 of 3 files have no result; to continue, run the same command with --resume --dir f
E
	check_re 'Slurm: a signal cancels the tasks, and --resume continues' 0 '
		trace-map --engine slurm --dir c "./slow {} | groupby -g name" rank?.json.gz >got & pid=$!
		until [ -e c/parts/0.part ]; do sleep 0.1; done
		kill $pid; wait $pid; echo "status $?"
		until [ ! "$(squeue -h)" ]; do sleep 0.1; done
		trace-map --resume --engine slurm --dir c "./slow {} | groupby -g name" rank?.json.gz >got
		trace2ndjson -k kernel --no-args rank?.json.gz | groupby -g name | cmp - got' <<'E'
status 2
--- stderr
trace-map: interrupted: [1-9] of 10 files are done; to continue, run the same command with --resume --dir c
E
	check 'Slurm: --resume after SIGKILL waits for the tasks that still run' 0 ': >runs
		TMPDIR=$PWD trace-map --engine slurm --dir k "./slow {} | groupby -g name" rank?.json.gz >got & pid=$!
		until [ -e k/parts/0.part ]; do sleep 0.1; done
		kill -KILL $pid; wait $pid 2>/dev/null
		trace-map --resume --dir k "./slow {} | groupby -g name" rank?.json.gz >got
		trace2ndjson -k kernel --no-args rank?.json.gz | groupby -g name | cmp - got; wc -l <runs' <<'E'
10
E
fi
finish
