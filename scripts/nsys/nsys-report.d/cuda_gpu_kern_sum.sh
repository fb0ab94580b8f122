# cuda_gpu_kern_sum.sh: the time of each kernel on the device
# As in the report of nsys, kernels with the same name but different name ids are in different rows.
sums kernel name,demangledName Instances "Name=$label"
