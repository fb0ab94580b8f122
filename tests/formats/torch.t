#!/bin/sh
# torch.t: trace2ndjson's format torch: PyTorch's profiler tables and bottleneck reports.
. "${0%/*}/../lib.sh"

# --- real tables: every cell, compared with an independent reader in Python


# table FILE: checks every cell. Standard input has numbers that were counted by hand: the number of rows, the sums of
# count, self, total, dev_self and dev_total, and a line for each total under the table.
table() {
	need_shared "data/torch/$1" && have python3 || return
	cat >by-hand
	check "$1: every cell is as expected" 0 \
		"trace2ndjson '$SHARED/data/torch/$1' >got && torch_records.py '$SHARED/data/torch/$1' got" <by-hand
}

table bottleneck-1.8+-ddp-negative-times.txt <<'EOF'
6 6 -7807000 8012000000 0 0
Self CPU time total -20746000
EOF
table gpumode-lecture4-cell3.txt <<'EOF'
3 30001 252034000 252034000 269413000 269413000
Self CPU time total 252034000
Self CUDA time total 269413000
EOF
table kineto-1.9+-cudagraph-truncated-names.txt <<'EOF'
20 541 112214000 112214000 112749000 112749000
Self CPU time total 112214000
Self CUDA time total 112749000
EOF
table kineto2.x-4090-mem-shapes.txt <<'EOF'
4 48 237000 490000 228000 261000
Self CPU time total 1938000
Self CUDA time total 817000
EOF
table recipe-xpu-subset-columns.txt <<'EOF'
5 121 0 0 3741880 8179880
Self CPU time total 712486000
Self XPU time total 2567000
EOF
table torch1.0-pr15898-6col.txt <<'EOF'
7 99 0 3897554000 0 0
EOF
table torch1.4-seed004-bottleneck.txt <<'EOF'
15 0 1097659000 1097659000 0 0
Self CPU time total 1098000000
CUDA time total 0
EOF
table torch1.9-issue117515-stack.txt <<'EOF'
1 0 0 0 0 0
EOF
table torchprof-README-2020-11-26-7b274ef-3.txt <<'EOF'
18 18 1635230 6466070 1635616 6448432
Self CPU time total 1636000
CUDA time total 1636000
EOF

# --- a whole bottleneck report, as torch.utils.bottleneck prints it

cat >report.txt <<'EOF'
Running environment analysis...
Running your script with cProfile
Running your script with the autograd profiler...
--------------------------------------------------------------------------------
  Environment Summary
--------------------------------------------------------------------------------
PyTorch 1.8.1 DEBUG compiled w/ CUDA 10.2
Running with Python 3.8 and CUDA 10.2.89

`pip3 list` truncated output:
numpy==1.20.2
torch==1.8.1
--------------------------------------------------------------------------------
  cProfile output
--------------------------------------------------------------------------------
         14747990 function calls (14746975 primitive calls) in 95.1435 seconds

   Ordered by: internal time
   List reduced from 7290 to 3 due to restriction <3>

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
14747365/14746975   53.977    0.000   54.001    0.054 {method 'run_backward' of 'torch._C._EngineBase' objects}
      1/1   30.500   30.500   95.143   95.143 train.py:7(main loop)
        2    0.001    0.000    0.001    0.000 <string>:1(<module>)


--------------------------------------------------------------------------------
  autograd profiler output (CPU mode)
--------------------------------------------------------------------------------
        top 15 events sorted by cpu_time_total

------------  ------------  ------------  ------------  ------------  ------------  ------------  
        Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls  
------------  ------------  ------------  ------------  ------------  ------------  ------------  
    aten::mm        75.00%       1.500ms       100.00%       2.000ms       2.000ms             1  
  aten::add_        25.00%     500.000us          nan%     500.000us     500.000us             1  
------------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 2.000ms

--------------------------------------------------------------------------------
  autograd profiler output (CUDA mode)
--------------------------------------------------------------------------------
        top 15 events sorted by cpu_time_total

	Because the autograd profiler uses the CUDA event API,
	the CUDA time column reports approximately max(cuda_time, cpu_time).
	Please ignore this output if your code does not use CUDA.

------------  ------------  ------------  ------------  ------------  ------------  ------------  
        Name      Self CPU     CPU total     Self CUDA    CUDA total  CUDA time avg    # of Calls  
------------  ------------  ------------  ------------  ------------  ------------  ------------  
    aten::mm       1.500ms       2.000ms       1.098s        1.098s        1.098s             1  
------------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 2.000ms
Self CUDA time total: 1.098s
EOF
cat >report.nd <<'EOF'
{"kind":"meta","name":"PyTorch 1.8.1 DEBUG compiled w/ CUDA 10.2","cat":"environment"}
{"kind":"meta","name":"Running with Python 3.8 and CUDA 10.2.89","cat":"environment"}
{"kind":"meta","name":"`pip3 list` truncated output:","cat":"environment"}
{"kind":"meta","name":"numpy==1.20.2","cat":"environment"}
{"kind":"meta","name":"torch==1.8.1","cat":"environment"}
{"kind":"total","name":"function calls","cat":"cprofile","count":14747990,"self":95143500000,"args":{"table":1,"primitive":14746975}}
{"kind":"row","name":"{method 'run_backward' of 'torch._C._EngineBase' objects}","cat":"cprofile","count":14747365,"self":53977000000,"total":54001000000,"args":{"table":1,"top":3,"sorted_by":"internal time","primitive":14746975,"tottime percall":0,"cumtime percall":54000000}}
{"kind":"row","name":"train.py:7(main loop)","cat":"cprofile","count":1,"self":30500000000,"total":95143000000,"args":{"table":1,"top":3,"sorted_by":"internal time","primitive":1,"tottime percall":30500000000,"cumtime percall":95143000000}}
{"kind":"row","name":"<string>:1(<module>)","cat":"cprofile","count":2,"self":1000000,"total":1000000,"args":{"table":1,"top":3,"sorted_by":"internal time","primitive":2,"tottime percall":0,"cumtime percall":0}}
{"kind":"row","name":"aten::mm","cat":"autograd_cpu","self":1500000,"total":2000000,"count":1,"args":{"table":2,"top":15,"sorted_by":"cpu_time_total","Self CPU %":75.00,"CPU total %":100.00,"CPU time avg":2000000}}
{"kind":"row","name":"aten::add_","cat":"autograd_cpu","self":500000,"total":500000,"count":1,"args":{"table":2,"top":15,"sorted_by":"cpu_time_total","Self CPU %":25.00,"CPU total %":null,"CPU time avg":500000}}
{"kind":"total","name":"Self CPU time total","cat":"autograd_cpu","self":2000000,"args":{"table":2}}
{"kind":"row","name":"aten::mm","cat":"autograd_cuda","self":1500000,"total":2000000,"dev_self":1098000000,"dev_total":1098000000,"count":1,"args":{"table":3,"top":15,"sorted_by":"cpu_time_total","device":"CUDA","CUDA time avg":1098000000}}
{"kind":"total","name":"Self CPU time total","cat":"autograd_cuda","self":2000000,"args":{"table":3}}
{"kind":"total","name":"Self CUDA time total","cat":"autograd_cuda","dev_self":1098000000,"args":{"device":"CUDA","table":3}}
EOF
check 'a bottleneck report becomes records' 0 'trace2ndjson report.txt | diff report.nd -' <<'EOF'
--- stderr
trace2ndjson: report.txt:1: line outside of a table; skipped (and 5 more)
EOF
check 'a report with CRLF gives the same records' 0 \
	'sed "s/$/\r/" report.txt | trace2ndjson 2>/dev/null | diff report.nd -' </dev/null
check '-k total writes only the totals' 0 'trace2ndjson -k total --no-args report.txt 2>/dev/null' <<'EOF'
{"kind":"total","name":"function calls","cat":"cprofile","count":14747990,"self":95143500000}
{"kind":"total","name":"Self CPU time total","cat":"autograd_cpu","self":2000000}
{"kind":"total","name":"Self CPU time total","cat":"autograd_cuda","self":2000000}
{"kind":"total","name":"Self CUDA time total","cat":"autograd_cuda","dev_self":1098000000}
EOF
check '--keep-text writes other lines as records' 0 'trace2ndjson --keep-text -k other report.txt | sed 2q' <<'EOF'
{"kind":"other","name":"Running environment analysis...","args":{"class":"text"}}
{"kind":"other","name":"Running your script with cProfile","args":{"class":"text"}}
EOF
check 'groupby sums the rows of each table' 0 \
	'trace2ndjson -k row report.txt 2>/dev/null | groupby -g cat -f self -a sum -o csv' <<'EOF'
cat,self_sum
cprofile,84478000000
autograd_cpu,2000000
autograd_cuda,1500000
EOF

# --- every column, with unusual cells

cat >wide.txt <<'EOF'
-----------  -------------  ----------  ----------  ----------  ------------  ----------  ----------  -------  ------------  ------------  ------------------
       Name  Overload Name  Self CPU %    Self XPU   CPU total  Self CPU Mem     XPU Mem  # of Calls  Node ID  Input Shapes  Total GFLOPs  Source Location   
-----------  -------------  ----------  ----------  ----------  ------------  ----------  ----------  -------  ------------  ------------  ------------------
aten::mm#12         Scalar     -16.35%    -5.709ms      1.098s       -1.5 KB         0 B           3       -1    [[2, 3], 4        11.596  .../a.py(1): f    
                                                                                                                                           .../b.py(2): <module>
                                                                                                                                                             
  größe::mm                    100.00%     0.001us    10.000us       0.01 GB    24.01 MB           1        0          [[]]            --  b.py(3): g        
aten::on...                       NaN%     0.000us     0.000us           0 b     1.00 Gb          12        7            []         0.001                    
-----------  -------------  ----------  ----------  ----------  ------------  ----------  ----------  -------  ------------  ------------  ------------------
Self CPU time total: -1.250us
EOF
check 'a table with every column becomes records' 0 'trace2ndjson wide.txt' <<'EOF'
{"kind":"row","name":"aten::mm#12","dev_self":-5709000,"total":1098000000,"count":3,"args":{"table":1,"device":"XPU","Overload Name":"Scalar","Self CPU %":-16.35,"Self CPU Mem":-1536,"XPU Mem":0,"Node ID":-1,"Input Shapes":"[[2, 3], 4","Total FLOPs":11596000000,"Source Location":[".../a.py(1): f",".../b.py(2): <module>"]}}
{"kind":"row","name":"größe::mm","dev_self":1,"total":10000,"count":1,"args":{"table":1,"device":"XPU","Self CPU %":100.00,"Self CPU Mem":10737418,"XPU Mem":25176310,"Node ID":0,"Input Shapes":[[]],"Source Location":["b.py(3): g"]}}
{"kind":"row","name":"aten::on...","dev_self":0,"total":0,"count":12,"args":{"table":1,"device":"XPU","cut":true,"Self CPU %":null,"Self CPU Mem":0,"XPU Mem":1073741824,"Node ID":7,"Input Shapes":[],"Total FLOPs":1000000}}
{"kind":"total","name":"Self CPU time total","self":-1250,"args":{"table":1}}
EOF

# --- tables as people paste them

table=$(sed -n '/(CPU mode)/,/^Self CPU/{/^-----.* --/,$p;}' report.txt)
two='{"kind":"row","name":"aten::mm","self":1500000,"total":2000000,"count":1}
{"kind":"row","name":"aten::add_","self":500000,"total":500000,"count":1}
{"kind":"total","name":"Self CPU time total","self":2000000}'
# pasted NAME SED: checks that the table gives the same records after the sed script SED has changed it.
pasted() {
	printf '%s\n' "$table" | sed "$2" >pasted.txt
	check "$1" 0 'trace2ndjson --no-args pasted.txt' <<-EOF
		$two
	EOF
}
pasted 'an unchanged table' ''
pasted 'a table indented with tabs' 's/^/\t\t/'
pasted 'a table in a comment' 's/^/# /; s/ *$//'
pasted 'a table quoted in a mail' 's/^/> /'
pasted 'a table without trailing blanks' 's/ *$//'
pasted 'a table with shorter rules' 's/------------/------/g'
pasted 'a table with rules of one piece' 's/^---.*/------/'
pasted 'a table without its first and last rule' '1d; 6d'
pasted 'a table with names aligned to the left' 's/^ *\(aten::add_\)  /\1  /; s/^ *\(aten::mm\)    /\1    /'

{ printf '%s\n' "$table" | sed '$d'; printf '%s\n' "$table"; } >twice.txt
check 'rows of two tables have different table numbers' 0 \
	'trace2ndjson -k row twice.txt | groupby -g table -f self -a sum -o csv' <<'EOF'
table,self_sum
1,2000000
2,2000000
EOF

# --- damage: valid rows are written

printf '%s\n' "$table" | sed '4{p;s/1.500ms/1.5zzms/;p;s/1.5zzms/       /;p;s/^.*$/Epoch 3 done/}' >damaged.txt
check 'lines that are not valid rows are skipped' 1 'trace2ndjson --no-args damaged.txt' <<EOF
$two
--- stderr
trace2ndjson: damaged.txt:5: row does not match the columns of its table; skipped (and 1 more)
trace2ndjson: damaged.txt:7: line outside of a table; skipped
EOF
printf '%s\n' "$table" | sed '5s/500.000us/99999999999s/; 7s/2.000ms/2.000/' >damaged.txt
check 'rows and totals with invalid times are skipped' 1 'trace2ndjson --no-args damaged.txt' <<'EOF'
{"kind":"row","name":"aten::mm","self":1500000,"total":2000000,"count":1}
--- stderr
trace2ndjson: damaged.txt:5: row does not match the columns of its table; skipped
trace2ndjson: damaged.txt:7: total is not a time; skipped
EOF
sed '/run_backward/s/53.977/53.9.7/' report.txt >damaged.txt
check 'an invalid row of cProfile is skipped' 1 \
	'trace2ndjson -k row damaged.txt 2>&1 >/dev/null | sed 1d; trace2ndjson damaged.txt 2>/dev/null >got; status=$?;
	grep -v run_backward report.nd | diff - got; exit $status' <<'EOF'
trace2ndjson: damaged.txt:22: row does not match the columns of its table; skipped
EOF
printf '%s\n' "$table" | sed '5s/aten::add_/aten::\xff\xfed_/' >damaged.txt
check 'invalid UTF-8 in a name is replaced' 0 'trace2ndjson --no-args damaged.txt | sed -n 2p' <<'EOF'
{"kind":"row","name":"aten::��d_","self":500000,"total":500000,"count":1}
--- stderr
trace2ndjson: damaged.txt:5: invalid UTF-8; replaced by U+FFFD
EOF
printf '%s\n' "$table" | sed '5s/$/a\x00b/' >damaged.txt
check 'a NUL byte in a row is reported' 0 'trace2ndjson --no-args damaged.txt | wc -l' <<'EOF'
2
--- stderr
trace2ndjson: damaged.txt:5: NUL byte; removed or escaped
trace2ndjson: damaged.txt:5: row does not match the columns of its table; skipped
EOF
printf '%s\n' "$table" | awk \
	'NR == 4 { name = sprintf("%5000s", "x"); gsub(/ /, "x", name); sub(/aten::mm/, name) } { print }' >long.txt
slow check 'a name may have 5000 characters' 0 \
	'trace2ndjson --no-args -k row long.txt | sed "1s/x\{5000\}/aten::mm/"' <<EOF
$(printf '%s\n' "$two" | sed 2q)
EOF
check 'a line over --max-record is skipped' 1 'trace2ndjson --max-record 4000 --no-args long.txt' <<EOF
$(printf '%s\n' "$two" | sed 1d)
--- stderr
trace2ndjson: long.txt:4: record larger than --max-record; skipped
EOF

# For every prefix, trace2ndjson writes the records of the complete rows, and exits 1 if the last row is incomplete.
if have python3; then
	sed -n '/function calls/,/^Self CPU/{/<string>/d;p;}' report.txt >cut.txt
	slow check 'prefixes of a report give their complete rows' 0 'torch_cuts.py cut.txt' <<'EOF'
6 records, 0 bad cuts
EOF
	slow check 'prefixes of a table with locations give their complete rows' 0 'torch_cuts.py wide.txt' <<'EOF'
4 records, 0 bad cuts
EOF
fi
printf '%s\n' "$table" | head -c -40 >cut.txt
check 'a table cut in its last rule is complete' 0 'trace2ndjson --no-args cut.txt | wc -l' <<'EOF'
2
EOF
printf '%s\n' "$table" | sed 5q | head -c -8 >cut.txt
check 'a row that is cut short is skipped' 1 'trace2ndjson --no-args cut.txt' <<'EOF'
{"kind":"row","name":"aten::mm","self":1500000,"total":2000000,"count":1}
--- stderr
trace2ndjson: cut.txt:5: row cut short; skipped
EOF

printf '%s\n' "$table" | sed '3,$d' >header.txt
echo 'Done.' >>header.txt
check 'a header without rows is skipped' 0 'trace2ndjson header.txt' <<'EOF'
--- stderr
trace2ndjson: header.txt:3: table header without rows; skipped
trace2ndjson: header.txt:3: line outside of a table; skipped
EOF

# --- recognition

printf '%s\n' "$table" >table.txt
check 'a rule without a header is not a table' 1 'sed 1q table.txt | trace2ndjson' <<'EOF'
--- stderr
trace2ndjson: stdin: byte 0: unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)
EOF
check 'a rule and a header, or a header and a rule, are a table' 0 \
	'sed 2q table.txt | trace2ndjson; sed -n 2,4p table.txt | trace2ndjson --no-args -k row' <<EOF
$(printf '%s\n' "$two" | sed 1q)
EOF
check 'rows are written as soon as they arrive' 0 \
	'{ sed 4q table.txt; sleep 5; } | timeout 2 trace2ndjson --no-args | { read -r row && echo "$row"; }' <<EOF
$(printf '%s\n' "$two" | sed 1q)
EOF
# The rows of the golden table: sums of self by name, means in ns, shares of the total time with two decimals.
need_shared golden/torch data/torch && check 'the times by name match the golden table' 0 '
	trace2ndjson -k row,total "$SHARED"/data/torch/torch1.4-seed004-bottleneck.txt >all.nd
	whole=$(filter-calls -k total -n "Self CPU time total" all.nd | sed "s/.*\"self\":\([0-9]*\).*/\1/")
	filter-calls -k row all.nd | groupby -g name -f self -a count,sum,mean -o csv |
		awk -F, -v whole="$whole" "NR == 1 { print \"name,rows,self_ns,mean_ns,share_of_trailer_pct\"; next }
			{ printf \"%s,%d,%d,%.0f,%.2f\n\", \$1, \$2, \$3, \$4, 100 * \$3 / whole }" |
		diff - "$SHARED"/golden/torch/torch-seed004.byname.csv' </dev/null
if need_shared data; then
	files_in $READ_FOLDERS $UNREAD_FOLDERS | grep -v /data/torch/ | while IFS= read -r file; do
		zcat -f "$file" 2>/dev/null | head -c 300000 | trace2ndjson -F torch -k row,total 2>/dev/null | sed "s|^|$file: |"
	done | head >claimed
	check 'traces of other programs have no torch tables' 0 'cat claimed' </dev/null
fi

finish
