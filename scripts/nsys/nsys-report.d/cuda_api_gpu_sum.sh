# cuda_api_gpu_sum.sh: the time of each CUDA call on the host, and of kernels, copies and memsets on the device
# Names of calls are as in cuda_api_sum.
columns=("Category=if(kind=='api','CUDA_API',if(kind=='kernel','CUDA_KERNEL','MEMORY_OPER'))")
sums api,kernel,memcpy,memset kind,name,demangledName,args.name,nameId Instances \
	"Operation=default(if(kind=='api',capture(name,'^(.*)_v[0-9][0-9][0-9][0-9]$'),name),name)" -w '!lib'
