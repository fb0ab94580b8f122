#!/usr/bin/env python3
"""Prints records of all-reduces of a job: many_kernels.py RANKS COLLECTIVES id|seq|names|none.

The metadata are Comms Id, Seq, names of groups, or nothing. The clocks of the ranks differ, and the recordings begin
and end at different collectives.
"""
import random, sys

ranks, n, meta = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random.seed(7)
t, ends = 10**9, []
for i in range(n):
    t += random.randint(100000, 900000)
    ends.append(t)
for rank in range(ranks):
    ahead = random.randint(-10**9, 10**9)
    first, last = (17, n) if rank % 3 == 0 else (0, n - 13)
    print('{"kind":"meta","name":"distributedInfo","rank":%d,"args":{"world_size":%d}}' % (rank, ranks))
    for i in range(first, last):
        elements, dur = 1000 + i % 5, random.randint(20000, 90000)
        args = ""
        if meta != "none":
            args = ('"Collective name":"allreduce","In msg nelems":%d,"Out msg nelems":%d,"Group size":%d,'
                    '"dtype":"Float",'
                    '"Process Group Name":"0","Process Group Description":"default_pg","Process Group Ranks":"[]"' %
                    (elements, elements, ranks))
        if meta in ("seq", "id"):
            args += ',"Seq":%d' % (i + 1)
        if meta == "id":
            args += ',"Comms Id":%d' % (2**63 + i * 12345)
        print('{"ts":%d,"dur":%d,"kind":"kernel","name":"ncclDevKernel_AllReduce","rank":%d,"dev":0,"stream":1,'
              '"corr":%d,"args":{%s}}' % (ends[i] + ahead + random.randint(0, 4000) - dur, dur, rank, i, args))
