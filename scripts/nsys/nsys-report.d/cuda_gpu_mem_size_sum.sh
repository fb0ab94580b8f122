# cuda_gpu_mem_size_sum.sh: the bytes of copies and memsets on the device
field=bytes
sums memcpy,memset name Count "Operation=$label"
