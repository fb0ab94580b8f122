# nvtx_pushpop_sum.sh: the time of each push/pop range
none='no push/pop ranges'
sums range domain,name Instances "Range=$label" -v -w 'style == StartEnd'
