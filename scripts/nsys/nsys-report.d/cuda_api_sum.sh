# cuda_api_sum.sh: the time of each CUDA call on the host
# Calls of cuDNN, cuBLAS and the operating system are not counted. A version at the end of a name (_v7000) is deleted.
# The id of a name is called `name` in old exports and `nameId` in new ones.
sums api name,args.name,nameId 'Num Calls' "Name=default(capture(name,'^(.*)_v[0-9][0-9][0-9][0-9]$'),name)" -w '!lib'
