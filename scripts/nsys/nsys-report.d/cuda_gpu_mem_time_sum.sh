# cuda_gpu_mem_time_sum.sh: the time of copies and memsets on the device
sums memcpy,memset name Count "Operation=$label"
