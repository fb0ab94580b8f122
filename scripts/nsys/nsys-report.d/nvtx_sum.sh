# nvtx_sum.sh: the time of each range, by style
columns=(Style=style) none='no ranges'
sums range style,domain,name Instances "Range=$label" -w dur
