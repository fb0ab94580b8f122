#!/bin/sh
# torch-top.t: the rows with the most time in profiler tables, and the warnings about them.
. "${0%/*}/../lib.sh"

# A hand-written table that causes each warning.
head='-----------------------  ------------  ------------  ------------  ------------  ------------
                   Name      Self CPU     CPU total     Self CUDA    CUDA total    # of Calls
-----------------------  ------------  ------------  ------------  ------------  ------------'
cat >ops.txt <<EOF
$head
              aten::mm       1.500ms       2.000ms       3.000ms       3.000ms             2
             gemm_f32_       0.000us       0.000us       3.000ms       3.000ms             2
  Memcpy HtoD (Pagea...       0.000us       0.000us       1.000ms       1.000ms             1
  Memcpy HtoD (Pagea...       0.000us       0.000us     500.000us     500.000us             1
              aten::cpu     -10.000us       5.000us       0.000us       0.000us             1
Self CPU time total: 2.000ms
Self CUDA time total: 4.500ms
EOF
check 'prints the longest rows and all warnings' 0 'torch-top ops.txt' <<'EOF'
name                   count  self (us)  total (us)  dev_self (us)  dev_total (us)
aten::mm                   2       1500        2000           3000            3000
gemm_f32_                  2          0           0           3000            3000
Memcpy HtoD (Pagea...      1          0           0           1000            1000
Memcpy HtoD (Pagea...      1          0           0            500             500
aten::cpu                  1        -10           5              0               0
--- stderr
torch-top: table 1: dev_self adds up to 7.500 ms, but the device took 4.500 ms: it counts operators and their kernels; --kernels prints only kernels
torch-top: table 1: negative times in 1 row: the profiler mixed up its clocks
torch-top: table 1: 2 rows share the truncated name "Memcpy HtoD (Pagea..." (they may be different functions)
EOF
check '-k: the rows of kernels add up to the total' 0 \
	'torch-top --kernels -o ndjson ops.txt 2>/dev/null | groupby -f dev_self -a sum -o csv' <<'EOF'
dev_self_sum
4500000
EOF
check '-s sorts and -t limits the rows' 0 'torch-top -s dev_total -t 1 -o csv ops.txt 2>/dev/null' <<'EOF'
name,count,self,total,dev_self,dev_total
aten::mm,2,1500000,2000000,3000000,3000000
EOF
check 'reads records and standard input' 0 'trace2ndjson ops.txt | torch-top -t 1 -o csv 2>/dev/null' <<'EOF'
name,count,self,total,dev_self,dev_total
aten::mm,2,1500000,2000000,3000000,3000000
EOF

head='-----------------------  ------------  ------------  ------------  ----------------------
                   Name      Self CPU     CPU total    # of Calls            Input Shapes
-----------------------  ------------  ------------  ------------  ----------------------'
cat >shapes.txt <<EOF
$head
              aten::mm       2.000ms       2.000ms             2        [[20, 8], [8, 30]]
              aten::mm       1.000ms       1.000ms             1          [[5, 8], [8, 7]]
             aten::cpu       0.500ms       0.500ms             1                        []
Self CPU time total: 3.500ms
EOF
check 'prints the input shapes of rows with the same name' 0 '
	torch-top shapes.txt 2>said; torch-top -o ndjson -t 1 shapes.txt 2>said' <<'EOF'
name       count  self (us)  total (us)  Input Shapes
aten::mm       2       2000        2000  [[20,8],[8,30]]
aten::mm       1       1000        1000  [[5,8],[8,7]]
aten::cpu      1        500         500  []
{"name":"aten::mm","count":2,"self":2000000,"total":2000000,"Input Shapes":[[20,8],[8,30]]}
EOF

cat >bottleneck.txt <<'EOF'
  autograd profiler output (CPU mode)
--------------------------------------------------------------------------------
        top 15 events sorted by cpu_time_total

---------------------------  ------------  ------------
                       Name      Self CPU     CPU total
---------------------------  ------------  ------------
                   uniform_     100.000ms     100.000ms
  MkldnnConvolutionBackward      50.000ms      50.000ms
mkldnn_convolution_backward      49.900ms      49.900ms
         aten::convolution_       0.100ms     200.000ms
          aten::convolution     200.000ms     200.000ms
---------------------------  ------------  ------------
Self CPU time total: 400.000ms

---------------------------  ------------  ------------
                       Name      Self CPU     CPU total
---------------------------  ------------  ------------
                       mul_       3.000ms       3.000ms
---------------------------  ------------  ------------
Self CPU time total: 9.000ms
EOF
check 'reads a bottleneck report' 0 'torch-top -t 2 bottleneck.txt' <<'EOF'
cat           table  name               self (ms)  total (ms)
autograd_cpu      1  aten::convolution        200         200
autograd_cpu      1  uniform_                 100         100
--- stderr
torch-top: table 1: percentages and totals refer to the top 15 events only, not to the whole run
torch-top: table 2: percentages and totals refer to the top 15 events only, not to the whole run
torch-top: table 1: "MkldnnConvolutionBackward" and "mkldnn_convolution_backward" are caller and callee: they count the same work twice
torch-top: table 1: uniform_ (25.0% of self of all rows) usually initialises weights
EOF
check '-k: reports a table without kernels' 0 'torch-top --kernels bottleneck.txt 2>&1 >/dev/null | tail -n 1' <<'EOF'
torch-top: no rows of kernels, which have device time and a host time of 0
EOF

# real TABLE: compares the warnings about TABLE with standard input
real() {
	need_shared "data/torch/$1" || return
	cat >warned
	check "$1" 0 \
		"torch-top -t 1 '$SHARED/data/torch/$1' 2>&1 >/dev/null | sed 's/torch-top: table 1: //' | diff warned -" </dev/null
}
real torch1.4-seed004-bottleneck.txt <<'EOF'
percentages and totals refer to the 15 events listed only, not to the whole run
"MkldnnConvolutionBackward" and "mkldnn_convolution_backward" are caller and callee: they count the same work twice
uniform_ (22.5% of self of all rows) usually initialises weights
EOF
real kineto-1.9+-cudagraph-truncated-names.txt <<'EOF'
5 rows share the truncated name "void at::native::vectorized_elementwise_kernel<4, at..." (they may be different functions)
EOF
real recipe-xpu-subset-columns.txt <<'EOF'
dev_self adds up to 3.742 ms, but the device took 2.567 ms: it counts operators and their kernels
EOF
real bottleneck-1.8+-ddp-negative-times.txt <<'EOF'
negative times in 3 rows: the profiler mixed up its clocks
EOF
real torchprof-README-2020-11-26-7b274ef-3.txt </dev/null
if need_shared data/torch/kineto-1.9+-cudagraph-truncated-names.txt; then
	check '-k: kernels of a CUDA graph add up to the total' 0 \
		"torch-top --kernels -o ndjson '$SHARED/data/torch/kineto-1.9+-cudagraph-truncated-names.txt' 2>/dev/null |
		groupby -f dev_self -a count,sum -o csv" <<-'EOF'
		count,dev_self_sum
		15,112749000
	EOF
fi

# --- options and operands

check_re '-h prints the help' 0 'torch-top -h | sed 3q' <<'EOF'
torch-top -s dev_self profile.txt

usage: torch-top .*
EOF
check '-s rejects an unknown column' 2 'torch-top -s cpu ops.txt' <<'EOF'
--- stderr
torch-top: -s: 'cpu': expected self, total, dev_self, dev_total or count; try torch-top -h
EOF
check_re 'rejects an unknown option' 2 'torch-top -x ops.txt' <<'EOF'
--- stderr
torch-top: unknown option -x; try torch-top -h
EOF
check_re 'reports a missing file' 2 'torch-top absent.txt' <<'EOF'
--- stderr
torch-top: absent.txt: .*
EOF
check 'exits 1 if a row was lost' 1 "sed '4s/1.500ms/1.5ms!/' ops.txt | torch-top -t 1 -o csv 2>/dev/null" <<'EOF'
name,count,self,total,dev_self,dev_total
gemm_f32_,2,0,0,3000000,3000000
EOF

finish
