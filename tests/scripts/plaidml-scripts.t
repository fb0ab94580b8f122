#!/bin/sh
# plaidml-scripts.t: kernels, sources, programs, memory and invocations in event logs of PlaidML.
. "${0%/*}/../lib.sh"

# Three invocations, and the records that they refer to. The first invocation in the log (100) begins last. Kernel 31
# has the same name as kernel 30, was built before it, and runs after it. Ids are numbers, as in logs since December
# 2017.
cat >log.ndjson <<'E'
{"kind":"platforminfo","name":"CL","id":40,"args":{"name":"CL","version":"2.0"}}
{"kind":"deviceinfo","name":"GPU 1","id":41,"parent":40,"args":{"type":2,"name":"GPU 1","extension":["a","b"],"platform":40}}
{"kind":"programinfo","name":"p1","id":20,"args":{"alloc_sizes":[{"size":4,"count":3},{"size":1000,"count":2}],"tmp_sizes":[{"size":4,"count":30}],"code":"function (\n\tX\\n\u00e9) {}"}}
{"kind":"programinfo","name":"p2","id":22,"args":{"alloc_sizes":[],"tmp_sizes":[],"code":"two\n"}}
{"kind":"buildinfo","id":21,"parent":20,"args":{"device":41,"src":"all"}}
{"kind":"kernelinfo","name":"k \"1\"","id":31,"args":{"build":23,"program":22,"src":"older\n"}}
{"kind":"kernelinfo","name":"k \"1\"","id":30,"args":{"build":21,"program":20,"src":"__kernel\t\"\\n\"\n\n"}}
{"kind":"kernelinfo","name":"again","id":30,"args":{"src":"not the first of its id"}}
{"kind":"kernelinfo","name":"lone","id":32,"args":{"src":"s"}}
{"ts":1600000000000000900,"dur":100,"kind":"activity","name":"plaidml::invoker::ScheduleInvocation","cat":"plaidml::invoker::ScheduleInvocation","id":100,"args":{"seq":1}}
{"ts":1600000000000000100,"dur":100,"kind":"activity","name":"plaidml::invoker::ScheduleInvocation","cat":"plaidml::invoker::ScheduleInvocation","id":101,"args":{"seq":2}}
{"ts":1600000000000000200,"dur":50,"kind":"activity","name":"plaidml::invoker::ScheduleInvocation","cat":"plaidml::invoker::ScheduleInvocation","id":102,"args":{"seq":3}}
{"ts":1600000000000000150,"dur":10,"kind":"activity","name":"x::Enqueue","cat":"x::Enqueue","id":2,"parent":101,"args":{"seq":5}}
{"ts":1600000000000000149,"dur":20,"kind":"activity","name":"a::b::Kernel::Run","cat":"a::b::Kernel::Run","corr":1,"id":3,"parent":101,"args":{"kernel":30,"seq":6}}
{"ts":1600000000000000160,"dur":7,"kind":"kernel","name":"k \"1\"","cat":"cl::Executing","corr":1,"id":4,"parent":3,"args":{"kernel":30,"seq":7}}
{"ts":1600000000000000155,"dur":2,"kind":"kernel","name":"k \"1\"","cat":"cl::Executing","corr":4,"id":7,"parent":3,"args":{"kernel":31,"seq":16}}
{"ts":1600000000000000152,"dur":5,"kind":"kernel","name":"k \"1\"","cat":"cl::Executing","corr":2,"id":5,"parent":2,"args":{"kernel":31,"seq":8}}
{"ts":1600000000000000910,"dur":10,"kind":"kernel","name":"other","cat":"cl::Executing","corr":3,"id":6,"parent":100,"args":{"kernel":31,"seq":9}}
{"ts":1600000000000000199,"dur":1,"kind":"activity","name":"tile::MapCurrent","cat":"tile::MapCurrent","id":50,"args":{"seq":10}}
{"ts":1600000000000000200,"dur":700,"kind":"activity","name":"tile::MapCurrent","cat":"tile::MapCurrent","id":51,"args":{"seq":11}}
{"ts":1600000000000000300,"dur":601,"kind":"activity","name":"tile::MapCurrent","cat":"tile::MapCurrent","id":52,"args":{"seq":12}}
{"ts":1600000000000000250,"dur":1,"kind":"activity","name":"tile::MapCurrent","cat":"tile::MapCurrent","id":53,"args":{"seq":13}}
{"ts":1600000000000000252,"kind":"activity","name":"Unmap","cat":"Unmap","id":54,"parent":53,"args":{"seq":14}}
{"ts":1600000000000000255,"kind":"activity","name":"tile::MapCurrent","cat":"tile::MapCurrent","id":55,"args":{"seq":15}}
E

# --- the tree of an invocation

# The invocation ends at 200. Invocation 102 starts at 200, which is not after this end, so the window ends with the
# next start, 900. Mapping 50 begins too early, mapping 52 ends too late, mapping 55 never ends.
check 'invocation-tree: prints a tree and its mappings' 0 'invocation-tree -o csv log.ndjson 1' <<'E'
depth,label,tail,ts,dur,cat,id,root
0,invoker.ScheduleInvocation,invoker.ScheduleInvocation,1600000000000000100,100,plaidml::invoker::ScheduleInvocation,101,invocation
1,"k ""1"" Kernel.Run",Kernel.Run,1600000000000000149,20,a::b::Kernel::Run,3,invocation
2,"k ""1"" cl.Executing",cl.Executing,1600000000000000155,2,cl::Executing,7,invocation
2,"k ""1"" cl.Executing",cl.Executing,1600000000000000160,7,cl::Executing,4,invocation
1,x.Enqueue,x.Enqueue,1600000000000000150,10,x::Enqueue,2,invocation
2,"k ""1"" cl.Executing",cl.Executing,1600000000000000152,5,cl::Executing,5,invocation
0,tile.MapCurrent,tile.MapCurrent,1600000000000000200,700,tile::MapCurrent,51,mapping
0,tile.MapCurrent,tile.MapCurrent,1600000000000000250,1,tile::MapCurrent,53,mapping
1,Unmap,Unmap,1600000000000000252,,Unmap,54,mapping
E
check 'invocation-tree: indents labels in a table' 0 'invocation-tree log.ndjson 1' <<'E'
start_time (ns)  dur (ns)  label
              0       100  invoker.ScheduleInvocation
             49        20    k "1" Kernel.Run
             55         2      k "1" cl.Executing
             60         7      k "1" cl.Executing
             50        10    x.Enqueue
             52         5      k "1" cl.Executing
            100       700  tile.MapCurrent
            150         1  tile.MapCurrent
            152              Unmap
E
# No invocation begins after invocation 100. Its window therefore ends at its own start, and contains no mappings.
check 'invocation-tree: prints records of the first invocation of the log, which begins last' 0 \
	'invocation-tree -o ndjson log.ndjson 0' <<'E'
{"ts":1600000000000000900,"dur":100,"kind":"activity","name":"plaidml::invoker::ScheduleInvocation","cat":"plaidml::invoker::ScheduleInvocation","id":100,"depth":0,"root":"invocation","tail":"invoker.ScheduleInvocation","label":"invoker.ScheduleInvocation","args":{"seq":1}}
{"ts":1600000000000000910,"dur":10,"kind":"kernel","name":"other","cat":"cl::Executing","corr":3,"id":6,"parent":100,"depth":1,"root":"invocation","tail":"cl.Executing","label":"k \"1\" cl.Executing","args":{"kernel":31,"seq":9}}
E
check 'invocation-tree --list: prints all invocations' 0 'invocation-tree --list -o csv log.ndjson' <<'E'
invocation,ts,dur,records,kernels,kernel_time,wall_time,mappings,id,seq,kernel_first,kernel_last,window_end
0,1600000000000000900,100,2,1,10,10,0,100,1,1600000000000000910,1600000000000000920,1600000000000000900
1,1600000000000000100,100,6,3,14,15,2,101,2,1600000000000000152,1600000000000000167,1600000000000000900
2,1600000000000000200,50,1,0,0,,1,102,3,,,1600000000000000900
E
check 'invocation-tree --list: prints a table' 0 'invocation-tree --list <log.ndjson' <<'E'
invocation              ts (ns)  dur (ns)  records  kernels  kernel_time (ns)  wall_time (ns)  mappings
         0  1600000000000000900       100        2        1                10              10         0
         1  1600000000000000100       100        6        3                14              15         2
         2  1600000000000000200        50        1        0                 0                         1
E
check 'invocation-tree: an invocation without an end has no mappings' 0 \
	'sed "s/\"dur\":100,//" log.ndjson | invocation-tree -o tsv - 1 | cut -f 5,7' <<'E'
dur	id
	101
20	3
2	7
7	4
10	2
5	5
E
check 'invocation-tree: accepts cycles of parents, duplicate ids and distant clocks' 0 '{ cat log.ndjson
	echo "{\"ts\":1,\"dur\":1,\"kind\":\"activity\",\"cat\":\"c\",\"id\":101,\"parent\":5}"; } |
	invocation-tree -o tsv - 1 | cut -f 1,7' <<'E'
depth	id
0	101
1	3
2	7
2	4
1	2
2	5
3	101
0	51
0	53
1	54
E
# Times before 1970, small times, and times that differ only in the last of 19 digits, which doubles (the only numbers
# of awk) cannot represent.
for times in '-1000000007 -1000000001 -999999999 1:0 6 8 1000000008' '-5 -1 0 5:0 4 5 10' \
	'-123456789 123456789:0 246913578' \
    '999999999 1000000001:0 2' '8999999999999999999 9000000000000000000:0 1'; do
	parent=
	for ts in ${times%:*}; do
		printf '{"ts":%s,"kind":"activity","cat":"plaidml::invoker::ScheduleInvocation","id":"%s"%s}\n' "$ts" "$ts" "$parent"
		[ "$parent" ] || parent=",\"parent\":\"$ts\""
	done >times.ndjson
	check "invocation-tree: exact times since the start: $times" 0 \
		'invocation-tree -u ns times.ndjson 0 | awk "NR > 1 { printf \"%s \", \$1 }"; echo' <<E
${times#*:} 
E
done
check 'invocation-tree --list: reports a log without invocations' 1 \
	'echo "{\"kind\":\"activity\"}" | invocation-tree --list -o csv' <<'E'
--- stderr
invocation-tree: the log has no ScheduleInvocation
E
check 'invocation-tree: reports an invocation that does not exist' 2 'invocation-tree log.ndjson' <<'E'
--- stderr
invocation-tree: no invocation 10: the log has the invocations 0 to 2
E
check 'invocation-tree: reports a log without invocations' 1 \
	'echo "{\"kind\":\"activity\"}" | invocation-tree - 0' <<'E'
--- stderr
invocation-tree: the log has no ScheduleInvocation
E

# --- kernels

check 'plaidml-kernels: sorts by total time' 0 'plaidml-kernels -o csv log.ndjson' <<'E'
name,count,dur_sum,dur_share,dur_mean,dur_min,dur_max,args.kernel_first,args.kernel_distinct
"k ""1""",3,14,0.5833333333333334,4.666666666666667,2,7,30,2
other,1,10,0.4166666666666667,10,10,10,31,1
E
check 'plaidml-kernels: -s mean -t 1 sums up the others' 0 \
	'plaidml-kernels -s mean -t 1 -u ns log.ndjson' <<'E'
name     count  dur_sum (ns)  dur_share (%)  dur_mean (ns)  dur_min (ns)  dur_max (ns)
other        1            10           41.7         10.000            10            10
(other)      3            14           58.3          4.667             2             7
E

# --- records about a kernel

printf '__kernel\t"\\n"\n\n' >source
check 'plaidml-info source: prints the unchanged source of the build that ran first' 0 \
	"plaidml-info source 'k \"1\"' log.ndjson | cmp - source" </dev/null
check 'plaidml-info source: reads standard input' 0 \
	"plaidml-info source 'k \"1\"' <log.ndjson | cmp - source" </dev/null
check 'plaidml-info source: --longest mean and --longest total' 0 \
	'plaidml-info source --longest=mean log.ndjson; plaidml-info source --longest total log.ndjson | cmp - source' <<'E'
older
E
check 'plaidml-info source: --invocation selects the longest kernel' 0 \
	"plaidml-info source --invocation 1 log.ndjson | cmp - source" </dev/null
check 'plaidml-info source: prints a kernel that never ran' 0 'plaidml-info source lone log.ndjson' <<'E'
s
E
printf 'function (\n\tX\\n\303\251) {}\n' >code
check 'plaidml-info program: prints the Tile code' 0 "plaidml-info program 'k \"1\"' log.ndjson | cmp - code" </dev/null
check 'plaidml-info memory: prints the allocations' 0 "plaidml-info memory 'k \"1\"' log.ndjson" <<'E'
program p1: 2012 bytes of temporary memory in 5 allocations
size  count
   4      3
1000      2
E
check 'plaidml-info memory: accepts options after the operands' 0 \
	"plaidml-info memory --invocation 1 --tmp -o csv log.ndjson" <<'E'
size,count
4,30
E
check 'plaidml-info memory: prints a program without allocations' 0 \
	"plaidml-info memory --longest mean log.ndjson" <<'E'
program p2: 0 bytes of temporary memory in 0 allocations
size  count
E
check 'plaidml-info memory --all: prints all programs' 0 "plaidml-info memory --all -o csv log.ndjson" <<'E'
id,name,alloc_total,alloc_list,tmp_total,tmp_list
20,p1,2012,3x4 2x1000,120,30x4
22,p2,0,"",0,""
E
# Lists and names that are longer than some versions of awk can format at once, and a tree of 6000 nested activities.
slow check 'plaidml-info memory --all: prints 2000 sizes and a long name' 0 'python3 -c "
import json
sizes = [dict(size=i, count=10000000) for i in range(2000)]
print(json.dumps(dict(kind=\"programinfo\", name=\"p\\\\\" * 9999, id=1, args=dict(alloc_sizes=sizes, tmp_sizes=[])),
	separators=(\",\", \":\")))
print(json.dumps(dict(kind=\"buildinfo\", id=2, parent=1), separators=(\",\", \":\")))
print(json.dumps(dict(kind=\"kernelinfo\", name=\"k\", id=3, args=dict(build=2, program=1)), separators=(\",\", \":\")))
print(json.dumps(dict(ts=1, dur=1, kind=\"kernel\", name=\"k\", id=4, args=dict(kernel=3)),
	separators=(\",\", \":\")))" >sizes.ndjson
	plaidml-info memory --all -o tsv sizes.ndjson | tail -n 1 | awk -F "\t" "{ print length(\$2), \$3, length(\$4), \$5 }"
	plaidml-info memory k sizes.ndjson | awk "NR == 1 { print length(\$2), \$3 }"' <<'E'
29997 19990000000000 26889 0
19999 19990000000000
E
slow check 'invocation-tree: prints a deep tree' 0 'python3 -c "
for i in range(6000):
    print(\"{\\\"ts\\\":%d,\\\"dur\\\":%d,\"
        \"\\\"kind\\\":\\\"activity\\\",\"
        \"\\\"name\\\":\\\"x::y\\\",\\\"cat\\\":\\\"%s\\\",\\\"id\\\":%d%s,\\\"args\\\":{\\\"seq\\\":%d}}\" %
        (i, 12000 - 2 * i, \"x::y\" if i else \"plaidml::invoker::ScheduleInvocation\", i + 1,
	\",\\\"parent\\\":%d\" % i if i else \"\", 5000000000 + i))" >deep.ndjson
	invocation-tree deep.ndjson 0 | tail -n 1 | awk "{ print \$1, \$2, length }";
	invocation-tree --list -o csv deep.ndjson' <<'E'
5999 0.002 12028
invocation,ts,dur,records,kernels,kernel_time,wall_time,mappings,id,seq,kernel_first,kernel_last,window_end
0,0,12000,6000,0,0,,0,1,5000000000,,,0
E
check 'plaidml-info device: prints the device and its platform' 0 \
	"plaidml-info device 'k \"1\"' log.ndjson; plaidml-info device --platform -o csv 'k \"1\"' log.ndjson" <<'E'
name       GPU 1
type       2
extension  ["a","b"]
platform   40
name,version
CL,2.0
E
check 'plaidml-info: prints a record' 0 "plaidml-info build 'k \"1\"' log.ndjson" <<'E'
{"kind":"buildinfo","id":21,"parent":20,"args":{"device":41,"src":"all"}}
E
check 'plaidml-info device: reports that the log does not contain the build' 1 \
	'plaidml-info device lone log.ndjson' <<'E'
--- stderr
plaidml-info: the log does not contain the build of the kernel
E
check 'plaidml-info device: reports that the record of the build is missing' 1 \
	'plaidml-info device other log.ndjson' <<'E'
--- stderr
plaidml-info: the log does not contain the build of the kernel
E
check 'plaidml-info source: reports an unknown kernel' 1 'plaidml-info source k log.ndjson' <<'E'
--- stderr
plaidml-info: no kernel 'k'; plaidml-kernels lists the kernels that ran
E
check 'plaidml-info source --top: reports that no kernel ran' 1 \
	'echo "{\"kind\":\"kernel\"}" | plaidml-info program --longest mean' <<'E'
--- stderr
plaidml-info: no kernel ran
E
check 'plaidml-info source --invocation: reports that no kernel ran in it' 1 \
	'plaidml-info memory --invocation 2 log.ndjson' <<'E'
--- stderr
plaidml-info: no kernel ran in invocation 2
E

# --- wrong usage, damaged input, and failing output

only_slow_follow # every script with several wrong inputs
for script in plaidml-kernels plaidml-info invocation-tree; do
	check "$script: -h prints an example and the usage" 0 \
		"$script -h | grep -c '^usage: $script'; $script --help | cmp - \"\$($script -h >help; echo help)\"" <<'E'
1
E
	check "$script: -h exits 2 on a full disk" 2 "$script -h >/dev/full 2>&1" </dev/null
	check "$script: rejects an unknown option" 2 \
		"$script --nothing log.ndjson 2>&1 | wc -l; $script --nothing log.ndjson 2>/dev/null" <<'E'
1
E
	case $script in
	plaidml-info) arguments='kernel --invocation 1' ;;
	plaidml-kernels | invocation-tree) arguments= ;;
	*) arguments='--invocation 1' ;;
	esac
	file=log.ndjson
	[ "$script" != invocation-tree ] || file='log.ndjson 1'
	check "$script: exits 2 on a full disk" 2 "$script $arguments $file >/dev/full 2>said" </dev/null
	check "$script: reports a missing file" 2 "$script $arguments missing 2>&1 >/dev/null" <<E
$script: missing: cannot open: No such file or directory
E
	check "$script: exits 1 if a record was lost" 1 \
		"{ cat log.ndjson; echo '{'; } >cut.ndjson; $script $arguments cut${file#log} >lost; status=\$?
		$script $arguments $file | cmp - lost && exit \$status" <<E
--- stderr
$script: cut.ndjson:25: not a JSON record; skipped
E
done
check 'plaidml-info source: rejects a missing NAME' 2 'plaidml-info source' <<'E'
--- stderr
plaidml-info: expected a kernel: NAME, --longest or --invocation; try plaidml-info -h
E
check 'rejects a missing NAME and a second FILE' 2 \
	'plaidml-info source log.ndjson; plaidml-info device k log.ndjson --platform --nothing' <<'E'
--- stderr
plaidml-info: NAME must precede the file; try plaidml-info -h
plaidml-info: unknown option --nothing; try plaidml-info -h
E
check 'rejects an unknown word for --by and --top' 2 \
	'plaidml-info kernel --longest most log.ndjson; plaidml-kernels -s sum log.ndjson' <<'E'
--- stderr
plaidml-info: --longest: 'most': expected mean or total; try plaidml-info -h
plaidml-kernels: -s: 'sum': expected mean or total; try plaidml-kernels -h
E

# --- recorded and synthetic logs, compared with their tables

golden() { # golden LOG FOLDER
	need_shared "data/plaidml/$1.gz" "golden/plaidml/$2/summary.json" && have python3 || return
	log=$SHARED/data/plaidml/$1.gz folder=$SHARED/golden/plaidml/$2
	same="plaidml_tables.py"
	largest=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["largest_invocation"])' \
		"$folder/summary.json")
	trace2ndjson "$log" >all.ndjson 2>/dev/null
	for by in mean total; do
		check "$2: kernels by $by" 0 \
			"plaidml-kernels -s $by --top 100000 -o csv all.ndjson | $same kernels $folder kernels_by_$by.csv" <<'E'
same
E
		python3 -c 'import json, sys; sys.exit(sys.argv[2] not in json.load(open(sys.argv[1])))' "$folder/summary.json" \
			"top_$by" || continue
		check "$2: the source of the top $by" 0 \
			"plaidml-info source --longest $by all.ndjson | $same texts $folder top_$by" <<'E'
same
E
		check "$2: the device of the top $by" 0 "{ plaidml-info device -o ndjson --longest $by all.ndjson
			plaidml-info device -o ndjson --platform --longest $by all.ndjson; } | $same device $folder top_$by" <<'E'
same
E
	done
	for by in mean total; do
		[ -e "$folder/top_${by}_allocs.csv" ] || continue
		check "$2: program and memory of the top $by" 0 \
			"plaidml-info program --longest $by all.ndjson | cmp - $folder/top_${by}_program.tile &&
			plaidml-info memory --longest $by -o csv all.ndjson | diff $folder/top_${by}_allocs.csv -" </dev/null
	done
	check "$2: memory of all programs" 0 "plaidml-info memory --all -o csv all.ndjson | $same programs $folder" <<'E'
same
E
	check "$2: invocations" 0 "invocation-tree --list -o csv all.ndjson | $same invocations $folder" <<'E'
same
E
	check "$2: the tree of invocation 10" 0 "invocation-tree -o csv all.ndjson 10 | $same tree $folder tree.csv
		plaidml-info kernel --invocation 10 all.ndjson | $same kernel $folder tree" <<'E'
same
same
E
	check "$2: the tree of invocation $largest" 0 \
		"invocation-tree -o csv all.ndjson $largest | $same tree $folder tree_largest.csv
		plaidml-info kernel --invocation $largest all.ndjson | $same kernel $folder tree_largest" <<'E'
same
same
E
}
for set in small_v1 small_v2 ${TEST_ALL:+medium_v1 medium_v2}; do
	golden $set synth_$set
done
golden edge/small_v1_multi edge_small_v1_multi
golden edge/small_v1_unclosed edge_small_v1_unclosed
golden edge/small_v2_unclosed edge_small_v2_unclosed
golden edge/small_v1_unkany edge_small_v1_unkany
golden mnist_mlp_v1 mnist_mlp_v1
if need_shared data/plaidml/mnist_mlp_v1.gz golden/plaidml/mnist_mlp_v1/top_mean_kernel.cl; then
	check 'invocation-tree: prints the same for a log and for its records' 0 \
		'cd "$SHARED" && plaidml-info source --longest mean data/plaidml/mnist_mlp_v1.gz |
		cmp - golden/plaidml/mnist_mlp_v1/top_mean_kernel.cl &&
			plaidml-info source kernel_c4_sdk_2 <data/plaidml/mnist_mlp_v1.gz |
		cmp - golden/plaidml/mnist_mlp_v1/top_mean_kernel.cl' </dev/null
fi
# The complete records, which take 40353 bytes, contain 5 invocations; two kernels run in the first one, as in the
# complete log.
if need_shared data/plaidml/edge/small_v1_trunc.gz; then
	check 'reads the complete part of a truncated log' 1 \
		'invocation-tree --list -o csv "$SHARED"/data/plaidml/edge/small_v1_trunc.gz 2>said |
		wc -l; wc -l <said; invocation-tree "$SHARED"/data/plaidml/edge/small_v1_trunc.gz 0 2>/dev/null >tree; r=$?;
		grep -c Executing tree; exit $r' <<'E'
6
2
2
E
fi

finish
