#!/usr/bin/env python3
"""Writes small traces whose right verdict is known, and beside each trace its truth.

usage: verdict_traces.py DIR [--seed N] [--only REGEX]

For each case: DIR/CASE.json (one file for each rank: CASE.rank0.json, ...) and DIR/CASE.truth.json. The seed changes
lengths, numbers and names, not the verdict. verdict_check.py compares the reports of trace-report with these files.

The truth has, for each device and window, eight parts in ns, which sum to the window:
  computing             at least one computing kernel runs
  communication_only    communication runs, and no computing kernel
  copies_only           copies or sets run, and neither of the two
  other_only            only other device work runs (such as MTIA's job_exe)
  idle_host_late        idle, and the next work was launched after the idle time had begun
  idle_between_kernels  idle, and the next work had been launched before the idle time began
  idle_cause_unknown    idle, and the trace has no call for the next work
  after_last_work       idle from the end of the device's last work to the end of its last window
A window is a step, from its start to the start of the next; the last one lasts to the end of its range, or to the end
of the last work that was launched before that, whichever is later. Without steps, the only window lasts from the start
of the first work to the end of the last. All devices of a rank have the same windows. Idle time before the first work
begins with the first window. The sweep below knows the type of each work from the generator, not from its name.

Class of the headline: `compute` if computing takes more than 85 % of the windows; otherwise the largest other part.
With several devices it is the class of the device that computes the smallest share. `host-only`: the trace has no
device work. Cases of other formats have no parts: only the headline's class and what a report must and must not say.
"""
import argparse, json, os, random, re

US, MS = 1000, 1000000
PARTS = ('computing', 'communication_only', 'copies_only', 'other_only', 'idle_host_late', 'idle_between_kernels',
         'idle_cause_unknown', 'after_last_work')
CLASS = dict(zip(PARTS, ('compute', 'communication', 'copies', 'other', 'host', 'between', 'unknown', 'after')))
GRAPHS = ('CUDA graphs', 'the kernels already are in a graph, or nothing is known about launches')
CASES = []


class Trace:
    """One rank: its events, and its device work with types."""

    def __init__(self, gpu='NVIDIA A100-SXM4-40GB', major=8, devices=1, rank=None, world=None):
        self.props = [dict(id=i, name=gpu, computeMajor=major, computeMinor=0, totalGlobalMem=40 << 30, numSms=108)
                      for i in range(devices)]
        self.rank, self.world = rank, world
        self.events, self.works, self.steps = [], [], []
        self.now = self.base = 1700000 * MS
        self.corr = 100
        self.graphs = {}

    def add(self, cat, name, ts, dur, tid=1, pid=1, **args):
        self.events.append(dict(ph='X', cat=cat, name=name, pid=pid, tid=tid, ts=ts / 1000, dur=dur / 1000, args=args))

    def step(self, length, name='ProfilerStep#%d', cat='user_annotation', first=1, covers=100):
        """Adds a step at `now`, whose range covers that many percent of its length; returns its start."""
        b, self.now = self.now, self.now + length
        name %= first + len(self.steps)
        self.add(cat, name, b, length * covers // 100)
        self.steps.append((name, b, length * covers // 100))
        return b

    def work(self, start, dur, name, launch=None, kind='computing', cat='kernel', dev=0, stream=7,
            call='cudaLaunchKernel',
             call_dur=400, graph=None, tid=1, **args):
        """Adds device work of a type; `launch`: start of its call, or None; `graph`: the key of a call that launches
        several."""
        key = None
        if graph is not None and graph in self.graphs:
            key = self.graphs[graph]
        else:
            self.corr += 1
            key = self.corr
            if graph is not None:
                self.graphs[graph] = key
            if launch is not None:
                self.add('cuda_runtime', call, launch, call_dur, tid=tid, correlation=key)
        self.events.append(dict(ph='X', cat=cat, name=name, pid=dev, tid=stream, ts=start / 1000, dur=dur / 1000,
                                args=dict(args, device=dev, stream=stream, correlation=key)))
        self.works.append((start, start + dur, kind, launch, dev))

    def row(self, start, end, n, gap, name, launch, every=1000, **more):
        """Adds n equal works between start and end, `gap` apart, all launched early: from `launch` on, one each `every`
        ns."""
        d = (end - start - gap * (n - 1)) // n
        for i in range(n):
            self.work(start + i * (d + gap), d, name % i if '%' in name else name, launch=launch + i * every, **more)

    def json(self):
        top = dict(schemaVersion=1, deviceProperties=self.props)
        if self.rank is not None:
            top['distributedInfo'] = dict(backend='nccl', rank=self.rank, world_size=self.world)
        return dict(top, traceEvents=sorted(self.events, key=lambda e: e['ts']))

    # --- truth ---
    def windows(self):
        works = sorted(self.works, key=lambda w: w[0])
        if not works:
            return []
        if not self.steps:
            b, e = works[0][0], max(w[1] for w in works)
            return [('whole', b, e - b)]
        steps = sorted(self.steps, key=lambda s: s[1])
        out = [(s[0], s[1], t[1] - s[1]) for s, t in zip(steps, steps[1:])]
        name, b, length = steps[-1]
        end = max([b + length] + [w[1] for w in works if w[3] is not None and w[3] < b + length])
        return out + [(name, b, end - b)]

    def pieces(self, dev):
        """Yields (from, to, part) over the windows of a device."""
        windows = self.windows()
        first, last = windows[0][1], windows[-1][1] + windows[-1][2]
        works = sorted((w for w in self.works if w[4] == dev), key=lambda w: w[0])
        cuts = sorted({first, last} | {x for w in works for x in w[:2] if first < x < last})
        for a, b in zip(cuts, cuts[1:]):
            kinds = {w[2] for w in works if w[0] <= a and w[1] >= b}
            if kinds:
                yield a, b, next(p for p in PARTS if p in kinds)
                continue
            idle_from = max([w[1] for w in works if w[1] <= a] + [first if not [w for w in works if w[0] < a] else 0])
            after = [w for w in works if w[0] >= b]
            if not after:
                yield a, b, 'after_last_work'
            elif after[0][3] is None:
                yield a, b, 'idle_cause_unknown'
            else:
                yield a, b, 'idle_host_late' if after[0][3] > idle_from else 'idle_between_kernels'

    def truth(self):
        out = []
        for dev in sorted({w[4] for w in self.works}):
            windows = [dict(name=n, ts=b, dur=d, **{p: 0 for p in PARTS}) for n, b, d in self.windows()]
            for a, b, part in self.pieces(dev):
                for w in windows:
                    w[part] += max(0, min(b, w['ts'] + w['dur']) - max(a, w['ts']))
            for w in windows:
                assert sum(w[p] for p in PARTS) == w['dur'], (w, dev)
            out.append(dict(device=dev, window=sum(w['dur'] for w in windows),
                            **{p: sum(w[p] for w in windows) for p in PARTS}, windows=windows))
        return out


def case(expected, words, must=(), must_not=(), at_most=(), **options):
    """Declares a case. at_most: (regex, function of the sums of device 0 and the number of steps) limits a finding's
    `at most`."""
    def add(f):
        CASES.append((f.__name__, f.__doc__, expected, words, must, must_not, at_most, options, f))
        return f
    return add


def j(r, v, by=0.1):
    return int(v * (1 + r.uniform(-by, by)))


def host_bound(t, r, steps):
    for s in range(r.randint(4, 7)):
        n = r.randint(20, 30)
        b = t.step(n * 100 * US) if steps else t.now
        for i in range(n):
            x = b + i * 100 * US + 10 * US
            t.add('cpu_op', 'aten::add_%d' % (i % 3), x - 5 * US, 90 * US)
            t.work(x + 6 * US, j(r, 20 * US), 'elementwise_%d' % (i % 3), launch=x)
        t.now = b + n * 100 * US


@case('host', 'the GPU waits for the host most of the time', must_not=[('Pauses between kernels are the largest',
        'the host is late')])
def host_bound_steps(t, r):
    """Kernels of 20 us, each launched 50 us or more after the end of the one before."""
    host_bound(t, r, True)


@case('host', 'the GPU waits for the host most of the time', must_not=[('in a step|A step takes',
        'the trace has no steps')])
def host_bound_whole(t, r):
    """The same without steps."""
    host_bound(t, r, False)


def typical(t, r, fill, n=None, length=10 * MS, first=1):
    for s in range(n or r.randint(3, 6)):
        L = j(r, length)
        fill(t.step(L, first=first), L)


@case('communication', 'communication runs alone most of the time')
def communication_bound(t, r):
    """30 % computing, 60 % an all-reduce alone."""
    def fill(b, L):
        t.row(b + 20 * US, b + L * 3 // 10, 5, 2 * US, 'gemm_%d', b + 4 * US)
        t.work(b + L * 3 // 10 + 2 * US, L * 6 // 10, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', launch=b + 12 * US,
               kind='communication_only', stream=20)
    typical(t, r, fill)


@case('compute', 'the GPU computes nearly all the time; the communication is hidden',
      must_not=[('Communication does not overlap|communication runs alone', 'it is hidden completely')])
def communication_hidden(t, r):
    """An all-reduce of 60 % of the step beside computing."""
    def fill(b, L):
        t.row(b + 20 * US, b + L, 5, 0, 'gemm_%d', b + 4 * US)
        t.work(b + L // 4, L * 6 // 10, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', launch=b + 12 * US,
                kind='communication_only', stream=20)
    typical(t, r, fill)


@case('communication', 'communication runs alone most of the time')
def two_collectives_at_once(t, r):
    """Two collectives on two streams overlap each other; their time counts once."""
    def fill(b, L):
        t.row(b + 20 * US, b + L * 3 // 10, 5, 2 * US, 'gemm_%d', b + 4 * US)
        for i in (0, 1):
            t.work(b + L * (35 + 10 * i) // 100, L // 2, 'ncclDevKernel_%s_RING_LL' % ('ReduceScatter', 'AllGather')[i],
                   launch=b + (12 + i) * US, kind='communication_only', stream=20 + i)
    typical(t, r, fill)


@case('communication', 'communication runs alone most of the time, copies beside it')
def communication_beside_copies(t, r):
    """Copies run while communication runs: the time is communication."""
    def fill(b, L):
        t.row(b + 20 * US, b + L * 3 // 10, 5, 2 * US, 'gemm_%d', b + 4 * US)
        t.work(b + L * 31 // 100, L * 6 // 10, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', launch=b + 12 * US,
                kind='communication_only', stream=20)
        t.work(b + L * 40 // 100, L // 10, 'Memcpy HtoD (Pinned -> Device)', launch=b + 14 * US, kind='copies_only',
                cat='gpu_memcpy',
               stream=21, call='cudaMemcpyAsync', bytes=1 << 20)
    typical(t, r, fill)


@case('communication', 'communication runs alone most of the time')
def custom_all_reduce(t, r):
    """The collectives of a server: none is called nccl."""
    names = ['void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, vllm::RankSignals, int)',
             'multimem_all_reduce_kernel', 'void deep_ep::internode::dispatch<true, 8>(int4*, float*)',
             'rcclGenericKernel_1(ncclDevKernelArgsStorage<4096ul>)']

    def fill(b, L):
        t.row(b + 10 * US, b + L * 3 // 10, 4, 0, 'gemm_%d', b + US)
        t.row(b + L * 3 // 10 + US, b + L * 99 // 100, 2, US, r.choice(names), b + 6 * US, kind='communication_only')
    typical(t, r, fill)


@case('compute', 'the GPU computes nearly all the time', must_not=[('Communication is the largest',
        'hipBLASLt computes')],
      gpu='AMD Instinct MI300X', major=9)
def hip_names(t, r):
    """Matrix products whose names begin with hip."""
    typical(t, r, lambda b, L: t.row(b + 20 * US, b + L, 10, US, 'hipblaslt_gemm_%d', b + US, call='hipLaunchKernel'))


@case('copies', 'copies run alone most of the time')
def copies_bound(t, r):
    """60 % copies from pinned memory, 30 % computing after them."""
    def fill(b, L):
        t.work(b + 20 * US, L * 6 // 10, 'Memcpy HtoD (Pinned -> Device)', launch=b + 5 * US, kind='copies_only',
                cat='gpu_memcpy',
               call='cudaMemcpyAsync', bytes=100 << 20)
        t.row(b + L * 61 // 100, b + L * 95 // 100, 4, US, 'gemm_%d', b + 10 * US)
    typical(t, r, fill)


@case('compute', 'the GPU computes all the time', must_not=[(r'\b1 kernels|\b1 steps', 'one kernel')])
def one_long_kernel(t, r):
    """One kernel of 50 ms, no steps."""
    t.work(t.now + 20 * US, j(r, 50 * MS), 'persistent_kernel', launch=t.now)


@case('compute', 'the GPU computes nearly all the time')
def two_streams(t, r):
    """Two streams share the computing; half of the time both run."""
    def fill(b, L):
        t.row(b + 20 * US, b + L * 3 // 4, 5, 0, 'gemm_%d', b + 4 * US)
        t.row(b + L // 4, b + L, 5, 0, 'conv_%d', b + 10 * US, stream=13)
    typical(t, r, fill)


@case('between', 'pauses between kernels that had been launched in time')
def gaps_between_kernels(t, r):
    """Kernels of 100 us with 120 us between them, all launched at the beginning of the step."""
    def fill(b, L):
        n = L // (220 * US)
        for i in range(n):
            t.work(b + 60 * US + i * 220 * US, 100 * US, 'k_%d' % (i % 5), launch=b + 2 * US + i * US)
    typical(t, r, fill)


LOADER = 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__'


@case('host', 'the GPU waits for the host, and the host waits for the data loader', must=['data loader'])
def data_loader(t, r):
    """The data loader takes 60 % of each step, and the GPU is idle while it does."""
    def fill(b, L):
        t.add('user_annotation', LOADER, b + 5 * US, L * 6 // 10)
        t.row(b + L * 62 // 100, b + L * 97 // 100, 6, US, 'gemm_%d', b + L * 61 // 100)
    typical(t, r, fill)


@case('compute', 'the GPU computes nearly all the time; the data loader is hidden in all steps except the first',
      at_most=[('data loader', lambda d, n: d['idle_host_late'] // n)])
def data_loader_hidden(t, r):
    """The loader takes 30 % of each step while the work of the step before still runs."""
    n, L = r.randint(6, 8), j(r, 10 * MS)
    for s in range(n):
        b = t.step(L)
        t.add('user_annotation', LOADER, b + 5 * US, L * 30 // 100)
        t.row(b + L * 32 // 100, b + L * 128 // 100, 6, 0, 'gemm_%d', b + L * 31 // 100)


def item(t, r, late):
    def fill(b, L):
        end = b + (L - 60 * US if not late else L // 2)
        t.row(b + 20 * US, end, 8, 0, 'gemm_%d', b + 2 * US)
        t.add('cpu_op', 'aten::item', b + 30 * US, end - b - 20 * US)
        t.work(end + 10 * US, 500, 'Memcpy DtoH (Device -> Pageable)', launch=b + 32 * US, call='cudaMemcpyAsync',
                call_dur=end - b - 30 * US,
               kind='copies_only', cat='gpu_memcpy', bytes=4)
    typical(t, r, fill)


@case('compute', 'the GPU computes nearly all the time: the host waits because the GPU still has work',
      at_most=[('pageable', lambda d, n: d['idle_host_late'] // n)])
def item_harmless(t, r):
    """.item() waits for the GPU at the end of each step; the GPU is never late by more than 1 %."""
    item(t, r, False)


@case('host', 'the GPU waits for the host, which reads a value back in each step', must=['pageable'])
def item_harmful(t, r):
    """.item() in the middle of each step; then the host works alone for half of the step."""
    item(t, r, True)


@case('compute', 'the GPU computes nearly all the time')
def asynchronous_tail(t, r):
    """The work of the last step ends 40 % of a step after its range: the window lasts to the end of the work."""
    n, L = r.randint(3, 6), j(r, 10 * MS)
    for s in range(n):
        b = t.step(L)
        t.row(b + (20 * US if not s else 0), b + L - (0 if s < n - 1 else L // 20), 5, 0, 'gemm_%d',
                b + US if not s else b - L // 2 + US)
    t.row(t.now - L // 20 + US, t.now + L * 4 // 10, 3, US, 'conv_%d', t.now - L // 3)


@case('compute', 'the GPU computes nearly all the time')
def carried_work(t, r):
    """The work of each step runs into the next one; both windows count their part."""
    n, L = r.randint(3, 6), j(r, 10 * MS)
    for s in range(n):
        b = t.step(L)
        t.row(b + L * 4 // 10, b + L * 14 // 10 - 10 * US, 4, 0, 'gemm_%d', b + L // 100)


@case('compute', 'the GPU computes nearly all the time: 4 to 6 steps, not twice as many', devices=2,
      must_not=[(r'\b(8|10|12) steps', 'steps of two devices are counted twice')])
def two_devices_equal(t, r):
    """Two devices of one process, both busy."""
    def fill(b, L):
        for d in (0, 1):
            t.row(b + 20 * US, b + L, 5, 0, 'gemm_%d', b + (4 + 6 * d) * US, dev=d)
    typical(t, r, fill, n=r.randint(4, 6))


@case('after', 'GPU 0 computes nearly all the time, GPU 1 has no work after its first kernel', devices=2,
      must=[r'(device|GPU) 1\b'], must_not=[(r'Pauses between kernels are', 'nothing was launched'),
              (r'\b(8|10|12) steps', 'counted twice')])
def two_devices_one_idle(t, r):
    """GPU 0 is busy; GPU 1 runs one kernel of 10 us in the first step."""
    def fill(b, L):
        t.row(b + 20 * US, b + L, 5, 0, 'gemm_%d', b + 4 * US)
        if b == t.base:
            t.work(b + 30 * US, 10 * US, 'tiny', launch=b + 12 * US, dev=1)
    typical(t, r, fill, n=r.randint(4, 6))


@case('host', 'GPU 1 waits for the host nine tenths of the time; GPU 0 is busy', devices=2, must=[r'(device|GPU) 1\b'])
def two_devices_one_late(t, r):
    """GPU 0 is 93 % busy, GPU 1 is 10 % busy because its work is launched late."""
    def fill(b, L):
        t.row(b + 20 * US, b + L * 93 // 100, 5, 0, 'gemm_%d', b + 4 * US)
        t.row(b + L * 89 // 100, b + L * 99 // 100, 2, US, 'gemm_%d', b + L * 88 // 100, dev=1)
    typical(t, r, fill)


def graph(t, r, busy):
    n = r.randint(100, 200)
    for s in range(r.randint(3, 6)):
        b = t.step(n * (9 if busy else 24) * US + 60 * US)
        for i in range(n):
            t.work(b + 30 * US + i * 9 * US, 5000 if busy else 8500, 'triton_%d' % (i % 7), launch=b + 5 * US,
                    call='cudaGraphLaunch',
                   call_dur=20 * US, graph=s)


GRAPH_HOST = (r'keep the host for [0-9.]+ (ms|s)\b', 'each launch of a graph takes 20 us, once for all of its kernels')


@case('between', 'pauses between the kernels of a graph', must_not=[GRAPHS, GRAPH_HOST])
def graph_short_kernels(t, r):
    """Kernels of 5 us, 4 us apart, all of one graph launch a step."""
    graph(t, r, True)


@case('host', 'the GPU waits for the host between two launches of the graph', must_not=[GRAPHS, GRAPH_HOST])
def graph_host_late(t, r):
    """A graph launch takes 20 us, its kernels run nearly without pauses, and the host works long before it launches the
    next."""
    graph(t, r, False)


def matrix(t, r, name, **more):
    typical(t, r, lambda b, L: t.row(b + 20 * US, b + L, 10, US, name, b + US, **more))


TENSOR = ('do not use Tensor Cores', 'the device has none, or these kernels use them')


@case('compute', 'the GPU computes nearly all the time', must_not=[TENSOR], gpu='AMD Instinct MI300X', major=9)
def mi300_sgemm(t, r):
    """sgemm on AMD: it has no Tensor Cores by that name."""
    matrix(t, r, 'rocblas_sgemm_kernel_MT64x64_%d', call='hipLaunchKernel')


@case('compute', 'the GPU computes nearly all the time', must_not=[TENSOR], gpu='Tesla P100-PCIE-16GB', major=6)
def p100_sgemm(t, r):
    """sgemm on a device without Tensor Cores."""
    matrix(t, r, 'maxwell_sgemm_128x64_nn_%d')


@case('compute', 'the GPU computes nearly all the time', must=['Tensor Cores'], must_not=[('TF32',
        'Volta has no TF32')],
      gpu='Tesla V100-SXM2-16GB', major=7)
def v100_sgemm(t, r):
    """sgemm on Volta: 16 bits helps, TF32 does not exist."""
    matrix(t, r, 'volta_sgemm_128x64_nn_%d')


@case('compute', 'the GPU computes nearly all the time', must=['Tensor Cores', 'TF32'])
def a100_sgemm(t, r):
    """sgemm on Ampere."""
    matrix(t, r, 'ampere_sgemm_128x64_nn_%d')


@case('compute', 'the GPU computes nearly all the time', must_not=[TENSOR])
def a100_tf32(t, r):
    """TF32 and cutlass tensorop kernels use Tensor Cores."""
    matrix(t, r, r.choice(['ampere_sgemm_tf32_s1688_128x64_nn_%d', 'cutlass_80_tensorop_s1688gemm_128x64_nn_%d']))


@case('compute', 'the GPU computes nearly all the time', gpu='NVIDIA H100 80GB HBM3', major=9,
      must_not=[TENSOR, (r'Tensor Cores[^0-9]{0,20}0 ?%',
              'these kernels use them; if names do not say, nothing may be printed')])
def h100_tensor_cores(t, r):
    """Kernels of Hopper that use Tensor Cores, and one old name."""
    names = ['nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNN',
            'void cutlass::device_kernel<flash::FlashAttnFwdSm90<>>(Params)',
             'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_execute_segment_k_off_kernel__5x_cublas',
             'void deep_gemm::fp8_gemm_kernel<2112u, 7168u>()']

    def fill(b, L):
        t.row(b + 20 * US, b + L * 97 // 100, 10, US, names[r.choice((0, 1, 3))], b + US)
        t.work(b + L * 97 // 100 + US, L * 2 // 1000, names[2], launch=b + 15 * US)
    typical(t, r, fill)


@case('compute', 'the GPU computes nearly all the time',
      must_not=[('busy for only', 'it is busy'), (r'(?<!on )The GPU\.', 'the sentence has no verb'),
              ('Pauses between kernels are', 'there are none')])
def sync_batch_norm(t, r):
    """Computing kernels with Sync in their names. (A report that calls them other work must still show them.)"""
    matrix(t, r, 'void SyncBatchNormKernel<float>(float*)')


@case('other', 'other device work takes the most time after computing', gpu='MTIA')
def other_work(t, r):
    """job_exe records of an MTIA, neither computing nor communication: their time is shown as a part of its own."""
    def fill(b, L):
        t.row(b + 20 * US, b + L * 55 // 100, 4, US, 'gemm_%d', b + US)
        t.row(b + L * 56 // 100, b + L * 90 // 100, 4, US, 'job_exe_%d', b + 6 * US, kind='other_only')
    typical(t, r, fill)


AFTER = [('Pauses between kernels are', 'nothing runs or is launched after the last kernel'),
         ('records may not be linked', 'all of them are linked')]


@case('after', 'the device has no work after its first milliseconds', must_not=AFTER + [GRAPHS])
def tail(t, r):
    """One step of 1 s; 100 kernels in the first 9 ms, then nothing."""
    b = t.step(j(r, 1000 * MS))
    t.row(b + 100 * US, b + 9100 * US, 100, 0, 'k_kernel', b)


@case('host', 'the GPU waits for the host at the end of each step; the last step ends without further work',
      must_not=[('Pauses between kernels add up', 'the last gap is not between kernels')])
def tail_of_each_step(t, r):
    """Each step computes for 60 % and launches nothing for the rest; the rest of the last one is after the last
    work."""
    typical(t, r, lambda b, L: t.row(b + 20 * US, b + L * 6 // 10, 6, US, 'gemm_%d', b + US), n=8, length=10 * MS)


@case('host', 'the GPU waits for the host at the beginning of each step')
def pause_at_start(t, r):
    """The host prepares for 70 % of each step before it launches the work."""
    def fill(b, L):
        t.add('user_annotation', 'prepare_batch', b + 5 * US, L * 7 // 10)
        t.row(b + L * 72 // 100, b + L, 6, US, 'gemm_%d', b + L * 71 // 100)
    typical(t, r, fill)


@case('host', 'the first step waits for the host; the others compute 90 % of the time',
      must=['first|step 1|ProfilerStep#1'], must_not=[(r'A step takes 1[0-9][0-9]\.[0-9] ms',
              'no step takes the mean: give the median')])
def slow_first_step(t, r):
    """A first step of 500 ms that waits for the host, and four of 1 ms that are 90 % busy."""
    b = t.step(500 * MS)
    t.row(b + 499 * MS, b + 500 * MS - 10 * US, 5, US, 'gemm_%d', b + 499 * MS - 20 * US)
    for s in range(4):
        b = t.step(MS)
        t.row(b + 90 * US, b + 990 * US, 5, US, 'gemm_%d', b + 50 * US)


@case('host-only', 'operators on the host', must=['aten::'])
def cpu_only(t, r):
    """Operators of the host, no device."""
    for i in range(50):
        t.add('cpu_op', 'aten::mm' if i % 2 else 'aten::relu', t.now, j(r, 300 * US if i % 2 else 40 * US))
        t.now += 400 * US


@case('host-only', 'gloo:all_reduce takes nearly all the time', must=['gloo:all_reduce'],
      must_not=[(r'aten::empty used', 'it is the smallest part of the time')])
def cpu_only_collectives(t, r):
    """Ten collectives of gloo of 200 ms each, and four operators of 1 us."""
    for i in range(10):
        t.add('user_annotation', 'gloo:all_reduce', t.now, j(r, 200 * MS), tid=2)
        if i < 4:
            t.add('cpu_op', 'aten::empty', t.now, US)
        t.now += 230 * MS


UNKNOWN = [('Pauses between kernels are', 'the trace has no calls: the cause is not known'), ('launched in time',
        'not known'), GRAPHS,
           (r'host too late[^0-9]{0,12}0(\.0)? ?%', 'not known')]


@case('unknown', 'the GPU is idle most of the time; the trace has no calls and does not say why', must_not=UNKNOWN)
def kernels_only(t, r):
    """Kernels without calls, 60 % idle."""
    n = r.randint(40, 80)
    for i in range(n):
        t.work(t.now + i * 100 * US, 40 * US, 'k_%d' % (i % 5))


@case('unknown', 'the GPU is idle most of the time; the trace has no calls and does not say why', must_not=UNKNOWN)
def kernels_only_seconds(t, r):
    """Kernels without calls, seconds apart."""
    for i in range(r.randint(6, 12)):
        t.work(t.now + i * j(r, 3000 * MS, 0.01), j(r, 200 * MS), 'k_%d' % (i % 5))


@case('compute', 'the GPU computes nearly all the time')
def kernels_only_busy(t, r):
    """Kernels without calls, back to back."""
    for i in range(r.randint(40, 80)):
        t.work(t.now + i * 100 * US, 99 * US, 'k_%d' % (i % 5))


@case('host', 'the GPU waits for the host most of the time', must_not=[(r'\b(10[1-9]|1[1-9][0-9]|[2-9][0-9][0-9]) %',
        'no share exceeds 100 %')])
def waits_before_the_steps(t, r):
    """Waits before the first step and between the ranges of the steps, which are not those of the profiler: shares are
    of the windows only."""
    for i in range(20):
        t.work(t.now + i * 5 * MS + 10 * US, 50 * US, 'warm_up', launch=t.now + i * 5 * MS)
    t.now += 100 * MS
    for s in range(r.randint(4, 6)):
        L = j(r, 10 * MS)
        b = t.step(L, name='step %d', covers=45)
        t.row(b + 20 * US, b + L * 4 // 10, 4, US, 'gemm_%d', b + US)


@case('host', 'the GPU waits for the host most of the time',
      must_not=[(r'longer than step 8\b|step 8 takes',
              'the window of the last step is cut: it does not wait for a next one')])
def last_step_cut(t, r):
    """Eight steps; the range of the last one ends with its work, so that it has no wait for the next."""
    L = j(r, 100 * MS)
    for s in range(8):
        last = s == 7
        b = t.step(L + (5 * MS if s == 3 else 0) if not last else L * 8 // 10)
        t.row(b + L * 4 // 10, b + L * 79 // 100, 10, US, 'gemm_%d', b + L * 39 // 100)


@case('compute', 'the GPU computes nearly all the time')
def kernels_of_0ns(t, r):
    """Some kernels have the duration 0."""
    def fill(b, L):
        t.row(b + 20 * US, b + L, 10, US, 'gemm_%d', b + US)
        for i in range(5):
            t.work(b + L // 2 + i * US, 0, 'empty_kernel', launch=b + 15 * US + i * US, stream=13)
    typical(t, r, fill)


@case('host', 'the GPU waits for the host most of the time', must_not=[('a step takes',
        'ranges that overlap are no steps')])
def overlapping_steps(t, r):
    """Ranges named `step N` overlap, so the whole time is the window."""
    for s in range(4):
        t.add('user_annotation', 'step %d' % s, t.now, 15 * MS)
        t.work(t.now + 9 * MS, 2 * MS, 'gemm', launch=t.now + 9 * MS - 20 * US)
        t.now += 10 * MS


@case('compute', 'the GPU computes nearly all the time')
def other_thread(t, r):
    """Autograd's thread launches half of the work."""
    def fill(b, L):
        t.row(b + 20 * US, b + L // 2, 5, 0, 'gemm_%d', b + US)
        t.row(b + L // 2, b + L, 5, 0, 'gemm_backward_%d', b + 20 * US, tid=2)
    typical(t, r, fill)


@case('compute', 'the GPU computes nearly all the time', must_not=[(r'\{[a-z_]+(:[a-z]+)?\}\s*(ms|of)',
        'a name is not a template')])
def names_with_markup(t, r):
    """Names of kernels and ranges with braces, markup and quotes."""
    def fill(b, L):
        t.add('user_annotation', '{window:time} <b>"x"</b> | `y` \\ *z*', b + US, L // 2)
        t.row(b + 20 * US, b + L, 5, US, '{step:time}<script>k_%d</script>|`', b + 2 * US)
    typical(t, r, fill)


@case('host', 'the GPU waits for the host most of the time', must=['steps'])
def steps_of_2021(t, r):
    """Steps as PyTorch wrote them in 2021: ProfilerStep#N with cat Operator."""
    for s in range(r.randint(4, 6)):
        L = j(r, 10 * MS)
        b = t.step(L, cat='Operator', first=5)
        t.row(b + L * 7 // 10, b + L, 4, US, 'gemm_%d', b + L * 69 // 100, cat='Kernel', call='cudaLaunchKernel')
    for e in t.events:
        e['cat'] = {'cuda_runtime': 'Runtime'}.get(e['cat'], e['cat'])


@case('host', 'the GPU waits for the host most of the time', must_not=[(r'\b1 (steps|copies|kernels)\b', 'singular'),
        (r'""', 'a name that is empty')],
      gpu='')
def one_step_without_gpu_name(t, r):
    """One step, number 134, of a device whose name is empty."""
    b = t.step(10 * MS, first=134)
    t.row(b + 7 * MS, b + 10 * MS, 4, US, 'gemm_%d', b + 6900 * US)


@case('compute', 'the GPUs compute nearly all the time', ranks=3, must_not=[(r'\b(9|12|15|18) steps',
        'steps of three ranks are counted three times')])
def three_ranks(ts, r):
    """Three ranks of one job with the same steps."""
    n, L = r.choice((3, 4, 5)), j(r, 10 * MS)
    for t in ts:
        for s in range(n):
            b = t.step(L)
            t.row(b + (20 + t.rank) * US, b + L, 5, 0, 'gemm_%d', b + US)


# --- cases of other formats: their text, not their parts, is the answer

OTHERS = []


def other(suffix, expected, words, must=(), must_not=()):
    """Declares a case of another format: a function that returns the text of the trace."""
    def add(f):
        OTHERS.append((f.__name__, suffix, f.__doc__, expected, words, must, must_not, f))
        return f
    return add


def records(*lines):
    """Returns records as trace2ndjson writes them."""
    return ''.join(json.dumps(line) + '\n' for line in sorted(lines, key=lambda line: line.get('ts', -1)))


FOREIGN = [('PyTorch|torch|autocast|CUDA|Tensor Cores|DataLoader', 'the program uses none of these')]


def late_kernels(r, call, late, category=None, **args):
    """Returns kernels of 20 us with their calls, each launched `late` ns after the end of the one before."""
    out, now = [], 1000
    for i in range(r.randint(20, 40)):
        start = now + late + 6000
        kernel = dict(ts=start, dur=20 * US, kind='kernel', name='k%d' % (i % 3), dev=0, stream=1, corr=i + 1, pid=1)
        if category:
            kernel['cat'] = category
        if args:
            kernel['args'] = {k: v % (i % 3) if '%' in v else v for k, v in args.items()}
        out.append(kernel)
        out.append(dict(ts=start - 5000, dur=3000, kind='api', name=call, pid=1, tid=1, corr=i + 1))
        now = start + 20 * US
    return out


@other('.ndjson', 'host', 'the device waits for the host', must_not=FOREIGN)
def opencl_host_bound(r):
    """OpenCL kernels of 20 us, each enqueued 60 us after the end of the one before."""
    return records(*late_kernels(r, 'clEnqueueNDRangeKernel', 60 * US))


@other('.ndjson', 'compute', 'the device computes nearly all the time', must_not=FOREIGN)
def opencl_busy(r):
    """OpenCL kernels that were enqueued early."""
    out = []
    for i in range(30):
        out.append(dict(ts=100 * US + i * 50 * US, dur=49 * US, kind='kernel', name='layer%d' % i, dev=0, stream=1,
                        corr=i + 1, pid=1))
        out.append(dict(ts=i * US, dur=500, kind='api', name='clEnqueueNDRangeKernel', pid=1, tid=1, corr=i + 1))
    return records(*out)


@other('.ndjson', 'host', 'the device waits for the host', must=['fusion'], must_not=FOREIGN)
def jax_host_bound(r):
    """A profile of XLA: operators are in hlo_op."""
    return records(*late_kernels(r, 'hipLaunchKernel', 80 * US, '/device:GPU:0', hlo_op='fusion.%d'))


@other('.ndjson', 'unknown', 'idle, without launches', must=['fusion'],
       must_not=FOREIGN + [('launched in time|launches too late', 'not known')])
def jax_device_only(r):
    """A profile of XLA without calls of the host, 60 % idle."""
    return records(*[dict(ts=1000 + i * 100 * US, dur=40 * US, kind='kernel', name='loop_fusion_%d' % (i % 2), dev=0,
                          cat='/device:GPU:0', stream=1, args=dict(hlo_op='fusion.%d' % (i % 2), hlo_module='jit_f'))
                     for i in range(50)])


@other('.ndjson', None, 'activities of PlaidML', must=['activities of PlaidML', 'lang::compile'], must_not=FOREIGN)
def plaidml_activities(r):
    """Activities of PlaidML; most of the time in one of them."""
    return records(dict(kind='programinfo', name='p', id=1),
                   *[dict(ts=i * MS, dur=900 * US, kind='activity', name='lang::compile', id=i + 2) for i in range(9)],
                   dict(ts=0, dur=100 * US, kind='activity', name='hal::run', id=90))


@other('.ndjson', None, 'activities of PlaidML', must=['kernels? .*ran for 3.0 ms'],
       must_not=FOREIGN + [('GPU busy', 'the kernels have no times')])
def plaidml_kernels_without_times(r):
    """Kernels that have durations, but no starts: nothing is said about idle time."""
    return records(dict(kind='programinfo', name='p', id=1),
                   dict(ts=0, dur=MS, kind='activity', name='hal::run', id=2),
                   *[dict(dur=100 * US, kind='kernel', name='k%d' % (i % 2), id=i + 3) for i in range(30)])


@other('.ndjson', 'host-only', 'the call with most of the time', must=['cudaStreamSynchronize', '1 API call'],
       must_not=[(r'\b1 API calls', 'singular')])
def one_call(r):
    """A single call."""
    return records(dict(ts=0, dur=5 * MS, kind='api', name='cudaStreamSynchronize', pid=1, tid=1))


@other('.ndjson', 'host-only', 'the range with most of the time', must=['load_batch'])
def host_ranges(r):
    """Ranges of the host of which one takes 90 %, and operators of a microsecond."""
    return records(*[dict(ts=i * 10 * MS, dur=9 * MS, kind='range', name='load_batch', pid=1, tid=1) for i in range(9)],
                   *[dict(ts=i * 10 * MS, dur=MS, kind='range', name='save', pid=1, tid=2) for i in range(9)],
                   *[dict(ts=i * US, dur=US, kind='op', name='aten::empty', pid=1, tid=3) for i in range(5)])


def torch_table(columns, rows):
    """Returns a table as torch.profiler prints it."""
    widths = [max(len(str(row[i])) for row in [columns] + rows) for i in range(len(columns))]
    rule = '  '.join('-' * width for width in widths)
    lines = ['  '.join(str(cell).rjust(width) for cell, width in zip(row, widths)) for row in [columns] + rows]
    return '\n'.join([rule, lines[0], rule] + lines[1:] + [rule]) + '\n'


@other('.txt', None, 'the largest row', must=['aten::mm', '3 rows'])
def torch_table_with_calls(r):
    """A table of the profiler, which is not sorted."""
    return torch_table(['Name', 'Self CPU', 'CPU total', '# of Calls'],
                       [['aten::relu', '1.000ms', '1.000ms', 5], ['aten::mm', '80.000ms', '90.000ms', 7],
                        ['aten::add', '9.000ms', '9.000ms', 3]])


@other('.txt', None, 'the largest row', must=['mm. takes', '2 rows'])
def torch_table_without_calls(r):
    """A table without a column of calls, as torch 1.4 prints it: its rows are kept."""
    return torch_table(['Name', 'Self CPU total %', 'Self CPU total', 'CPU total %', 'CPU total', 'CPU time avg'],
                       [['relu', '10.00%', '1.000ms', '10.00%', '1.000ms', '1.000ms'],
                        ['mm', '90.00%', '9.000ms', '90.00%', '9.000ms', '9.000ms']])


def write_others(folder, seed, only):
    """Writes the cases of other formats."""
    for name, suffix, about, expected, words, must, must_not, make in OTHERS:
        if not re.search(only, name):
            continue
        with open(os.path.join(folder, name + suffix), 'w') as f:
            f.write(make(random.Random('%d %s' % (seed, name))))
        truth = dict(case=name, about=about, files=[name + suffix], headline={'class': expected, 'words': words},
                     steps=None, time=None, worst_device=None, must=list(must), at_most=[], devices=[],
                     must_not=[dict(text=x, why=y) for x, y in must_not])
        with open(os.path.join(folder, name + '.truth.json'), 'w') as f:
            json.dump(truth, f, indent=1)


def main():
    a = argparse.ArgumentParser()
    a.add_argument('dir')
    a.add_argument('--seed', type=int, default=1)
    a.add_argument('--only', default='')
    a = a.parse_args()
    os.makedirs(a.dir, exist_ok=True)
    for name, about, expected, words, must, must_not, at_most, options, fill in CASES:
        if not re.search(a.only, name):
            continue
        r = random.Random('%d %s' % (a.seed, name))
        ranks = options.pop('ranks', 1)
        ts = [Trace(rank=i if ranks > 1 else None, world=ranks, **options) for i in range(ranks)]
        fill(ts if ranks > 1 else ts[0], r)
        files, devices = [], []
        for i, t in enumerate(ts):
            files.append(name + ('.rank%d' % i if ranks > 1 else '') + '.json')
            json.dump(t.json(), open(os.path.join(a.dir, files[-1]), 'w'))
            devices += [dict(d, rank=t.rank) if ranks > 1 else d for d in t.truth()]
        worst = min(devices, key=lambda d: d['computing'] / d['window']) if devices else None
        if worst:
            rest = max(PARTS[1:], key=lambda p: worst[p])
            found = 'compute' if worst['computing'] * 100 > worst['window'] * 85 else CLASS[rest]
            assert found == expected, (name, found, expected, worst)
        windows = ts[0].windows()
        truth = dict(case=name, about=about, seed=a.seed, files=files, headline=dict(
            {'class': expected, 'words': words}, **({'computing_share': round(worst['computing'] / worst['window'],
                    6)} if worst else {})),
            steps=len(ts[0].steps) if ts[0].steps and not name.startswith('overlap') else None,
            time=windows[-1][1] + windows[-1][2] - windows[0][1] if windows else None,
            worst_device=worst['device'] if worst and len(devices) > 1 and ranks == 1 else None,
            must=list(must), must_not=[dict(text=x, why=y) for x, y in must_not],
            at_most=[dict(finding=x, ns=f(devices[0], len(ts[0].steps) or 1)) for x, f in at_most], devices=devices)
        json.dump(truth, open(os.path.join(a.dir, name + '.truth.json'), 'w'), indent=1)
    write_others(a.dir, a.seed, a.only)


if __name__ == '__main__':
    main()
