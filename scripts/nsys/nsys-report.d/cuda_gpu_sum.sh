# cuda_gpu_sum.sh: the time of each kernel, and of copies and memsets, on the device
columns=("Category=if(kind=='kernel','CUDA_KERNEL','MEMORY_OPER')")
sums kernel,memcpy,memset kind,name,demangledName Instances "Operation=$label"
