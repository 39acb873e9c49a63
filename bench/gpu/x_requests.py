"""x_requests.py: which elements of x the warps of each method read together.

    Matrix.read(FILE)                     a file of matrix_rows
    work_of(METHOD, MATRIX, PARAMETERS)   a Work

A sample of the matrix is laid out as the method lays it out, with values of 64 bits and 32-bit
columns and row pointers. Work counts, for each nonzero, what the sample needs.
"""
import array
import bisect
import collections

WARP = 32
LINE, SECTOR = 16, 4             # elements of x

# A warp's requests, each the columns that its lanes read at once. kind: which loop of the kernel;
# steps: gathers of its longest lane; summed: products that a work-item adds from shared memory.
Warp = collections.namedtuple("Warp", "kind steps requests summed", defaults=(0,))


class Matrix:
    def __init__(self, rows, cols, row_ptr, col):
        self.rows, self.cols, self.row_ptr, self.col = rows, cols, row_ptr, col
        self.nnz = row_ptr[rows]

    @classmethod
    def read(cls, path):
        with open(path, "rb") as file:
            rows, cols, nnz = map(int, file.readline().split())
            row_ptr, col = array.array("q"), array.array("i")
            row_ptr.fromfile(file, rows + 1)
            col.fromfile(file, nnz)
        return cls(rows, cols, row_ptr, col)

    def length(self, row):
        return self.row_ptr[row + 1] - self.row_ptr[row]

    def longest(self):
        return max(map(self.length, range(self.rows)), default=0)

    def least_bytes(self):
        """A in CSR, x and y once: docs/how-to/gpu.md."""
        return 12 * self.nnz + 4 * (self.rows + 1) + 8 * self.cols + 8 * self.rows


class Work:
    """What the sampled groups do, in sums that `of` divides by their nonzeros."""
    def __init__(self):
        self.sums = collections.Counter()
        self.kinds = collections.Counter()       # warps by (kind, steps, summed)
        self.group_warps = 0

    def add_group(self, warps, nonzeros, stored_bytes):
        seen = set()
        for warp in warps:
            self.kinds[warp.kind, warp.steps, warp.summed] += 1
            for columns in warp.requests:
                sectors = {column // SECTOR for column in columns}
                self.sums["lines"] += len({column // LINE for column in columns})
                self.sums["sectors"] += len(sectors)
                seen |= sectors
        self.sums["warps"] += len(warps)
        self.sums["unique"] += len(seen)
        self.sums["nonzeros"] += nonzeros
        self.sums["bytes"] += stored_bytes

    def of(self, name):
        return self.sums[name] / max(1, self.sums["nonzeros"])


def spread(count, most):
    """At most `most` of range(count), evenly."""
    most = min(count, most)
    return [i * count // most for i in range(most)]


def consecutive(m, begin, end):
    """Requests of 32 consecutive nonzeros."""
    return [m.col[k:min(k + WARP, end)] for k in range(begin, end, WARP)]


def power_below(value):
    return 1 << max(0, int(value).bit_length() - 1)


# ---- the caller's CSR -------------------------------------------------------------------------

def csr_vector(m, p, work):
    lanes = 2
    while 2 * lanes <= p["lanes"] and 2 * lanes * 2 * m.rows <= m.nnz:
        lanes *= 2
    group_rows, once = p["work_group_size"] // lanes, p["accumulators"]
    for group in spread(-(-m.rows // group_rows), 1500):
        first = group * group_rows
        last = min(m.rows, first + group_rows)
        warps, nonzeros = [], 0
        for start in range(first, last, WARP // lanes):
            rows = [r for r in range(start, min(last, start + WARP // lanes))
                    if m.length(r) <= 32 * lanes]
            steps = -(-max((m.length(r) for r in rows), default=0) // (lanes * once)) * once
            requests = [[m.col[m.row_ptr[r] + k] for r in rows
                         for k in range(step * lanes, min(m.length(r), (step + 1) * lanes))]
                        for step in range(steps)]
            warps.append(Warp("rows", steps, [r for r in requests if r]))
            nonzeros += sum(map(m.length, rows))
        for row in range(first, last):           # a work-group each, in the second kernel
            if m.length(row) > 32 * lanes:
                begin, end = m.row_ptr[row], min(m.row_ptr[row + 1], m.row_ptr[row] + 65536)
                requests = consecutive(m, begin, end)
                share = p["work_group_size"] // WARP
                warps += [Warp("rows", len(requests[i::share]), requests[i::share])
                          for i in range(share)]
                nonzeros += end - begin
        work.add_group(warps, nonzeros, 12 * nonzeros + 4 * (last - first))


def csr_adaptive(m, p, work):
    size, most = p["work_group_size"], p["nnz_per_wg"]
    blocks = []
    row = 0
    for start in spread(m.rows, 400):
        row = max(row, start)
        for _ in range(4):
            if row >= m.rows:
                break
            end = row
            while end < m.rows and end - row < most and m.row_ptr[end + 1] - m.row_ptr[row] <= most:
                end += 1
            blocks.append((row, max(end, row + 1)))
            row = blocks[-1][1]
    for first, last in blocks:
        begin, end = m.row_ptr[first], min(m.row_ptr[last], m.row_ptr[first] + 65536)
        items = min(size, power_below(size / (last - first))) if last - first <= size else 1
        requests = consecutive(m, begin, end)
        share = size // WARP
        longest = min(most, max(map(m.length, range(first, last))))
        summed = -(-longest // items) * -(-(last - first) // size)
        work.add_group([Warp("stream", len(requests[i::share]), requests[i::share], summed)
                        for i in range(share)], end - begin,
                       12 * (end - begin) + 4 * (last - first) + 32)


def speculative(m, p, work):
    tile = p["T"] * p["W"]
    bunch = tile * p["S"]
    for group in spread(-(-m.nnz // (bunch * p["B"])), 600):
        warps, begin = [], group * bunch * p["B"]
        end = min(m.nnz, begin + bunch * p["B"])
        for start in range(begin, end, bunch):
            requests = consecutive(m, start, min(end, start + bunch))
            warps.append(Warp("tile", len(requests), requests))
        rows = bisect.bisect_left(m.row_ptr, end) - bisect.bisect_left(m.row_ptr, begin)
        work.add_group(warps, end - begin, 12 * (end - begin) + 4 * rows + 32 * len(warps))


# ---- csr5 ---------------------------------------------------------------------------------------

def csr5(m, p, work):
    sigma, omega = p["sigma"], p["omega"]
    tile = sigma * omega
    bits = sigma + (omega - 1).bit_length() + max(1, (tile - 1).bit_length())
    per_group = p["work_group_size"] // omega
    for group in spread(max(1, m.nnz // (tile * per_group)), 400):
        warps, stored, nonzeros = [], 0, 0
        for i in range(per_group):
            begin = (group * per_group + i) * tile
            own = m.col[begin:begin + tile]
            if len(own) == 0:
                break
            narrow = max(own) - min(own) < 65536
            warps.append(Warp("narrow" if narrow else "wide", sigma,
                              [own[step::sigma] for step in range(sigma)]))
            stored += (10 if narrow else 12) * len(own) + 28 + 4 * omega * -(-bits // 32)
            nonzeros += len(own)
        work.add_group(warps, nonzeros, stored)


# ---- rows of similar length -------------------------------------------------------------------

def by_steps(m, rows):
    """Requests of lanes that each read a row, one nonzero after the other."""
    longest = max(map(m.length, rows), default=0)
    return [[m.col[m.row_ptr[r] + k] for r in rows if k < m.length(r)] for k in range(longest)]


def evc_hyb(m, p, work):
    limit = min(p["boundary"], max(32, 2 * m.nnz // max(1, p["busy_items"])))
    narrow = p.get("narrow_span", 0)             # columns of 16 bits, where the tree has them
    window = p["sort_window"] or m.rows
    per_group = p["work_group_size"] // WARP
    for start in spread(-(-m.rows // window), 16):
        rows = range(start * window, min(m.rows, (start + 1) * window))
        short = sorted((r for r in rows if m.length(r) <= limit), key=lambda r: -m.length(r))
        groups = -(-len(short) // (WARP * per_group))
        for group in spread(groups, 24):
            warps, stored, nonzeros = [], 0, 0
            for i in range(per_group):
                at = (group * per_group + i) * WARP
                own = short[at:at + WARP]
                requests = by_steps(m, own)
                columns = [column for request in requests for column in request]
                is_narrow = bool(columns) and max(columns) - min(columns) < narrow
                warps.append(Warp("ell narrow" if is_narrow else "ell", len(requests), requests))
                stored += (10 if is_narrow else 12) * WARP * len(requests) + 4 * len(own) + 16
                nonzeros += len(columns)
            work.add_group(warps, nonzeros, stored)
        long_rows = [r for r in rows if m.length(r) > limit]
        share = 24 / max(24, groups)             # of the window that is sampled
        for row in [long_rows[i] for i in spread(len(long_rows), int(share * len(long_rows)) + 1)
                    if long_rows]:
            begin, end = m.row_ptr[row], min(m.row_ptr[row + 1], m.row_ptr[row] + 2048)
            requests = consecutive(m, begin, end)
            own = m.col[begin:end]
            is_narrow = max(own) - min(own) < narrow
            work.add_group([Warp("vcsr", len(requests), requests)], end - begin,
                           (10 if is_narrow else 12) * (end - begin) + 12)


def lane_entries_of(m, p):
    """The entries of a lane from which a row gets more lanes, by the size of the matrix."""
    most = p["lane_entries"]
    while most // 2 >= p["least_lane_entries"]:
        lanes = sum(lanes_of(m.length(r), most) for r in range(m.rows))
        if lanes >= p["busy_slices"] * WARP:
            break
        most //= 2
    return most


def lanes_of(length, most):
    lanes = 1
    while lanes < WARP and length > most * lanes:
        lanes *= 2
    return lanes


def has_runs(columns, run):
    return len(columns) and len(columns) % run == 0 and all(
        columns[k + j] == columns[k] + j for k in range(0, len(columns), run)
        for j in range(1, run))


def window_slices(m, p, first, last, most):
    """(kind, rows) of the slices of a window, in its order."""
    rows = [r for r in range(first, last) if 0 < m.length(r) <= p["split_at"]]
    columns = {r: m.col[m.row_ptr[r]:m.row_ptr[r + 1]] for r in rows}
    distances = {r: tuple(c - r for c in columns[r]) for r in rows
                 if m.length(r) <= p["lane_entries"]}
    common = {d for d, times in collections.Counter(distances.values()).items()
              if p["diagonal_rows"] and times >= p["diagonal_rows"]}
    entries = {run: sum(m.length(r) for r in rows if has_runs(columns[r], run))
               for run in range(2, p["runs"] + 1)}
    run = max(entries, key=lambda r: (entries[r], r)) if any(entries.values()) else 1

    def group_of(r):
        if distances.get(r) in common:
            return 0, -m.length(r), hash(distances[r])
        return (1 if run > 1 and has_runs(columns[r], run) else 2), -m.length(r), 0

    rows.sort(key=lambda r: (*group_of(r), r))
    at = 0
    while at < len(rows):
        group = group_of(rows[at])
        lanes = 1 if group[0] == 0 else lanes_of(m.length(rows[at]), most)
        own = [r for r in rows[at:at + WARP // lanes] if group_of(r)[0] == group[0]]
        if group[0] == 0 and distances[own[0]] == distances[own[-1]]:
            kind = "diagonals"
        else:
            used = [c for r in own for c in columns[r]]
            is_near = max(used) - min(used) < p["narrow_span"]
            kind = ("wide" if not is_near else f"runs {run}" if group[0] == 1 else "narrow")
        yield kind, lanes, own
        at += len(own)


def slice_warp(m, kind, lanes, rows):
    """The warp of a slice, and the bytes that the slice stores."""
    run = int(kind[5:]) if kind.startswith("runs") else 1
    width = -(-max(m.length(r) for r in rows) // (run * lanes))
    requests = []
    for k in range(width * run):
        columns = []
        for r in rows:
            for lane in range(lanes):
                entry = (k // run * lanes + lane) * run + k % run
                if entry < m.length(r):
                    columns.append(m.col[m.row_ptr[r] + entry])
        requests.append(columns)
    column_bytes = {"diagonals": 0, "wide": 4, "narrow": 2}.get(kind, 2 / run)
    return (Warp(kind, width * run, requests),
            WARP * width * run * (8 + column_bytes) + 16 + 2 * WARP)


def slices(m, p, work):
    most, window = lane_entries_of(m, p), p["sort_window"]
    per_group = p["work_group_size"] // WARP
    for start in spread(-(-m.rows // window), 64):
        found = list(window_slices(m, p, start * window, min(m.rows, (start + 1) * window), most))
        for at in range(0, len(found), per_group):
            own = [slice_warp(m, *one) for one in found[at:at + per_group]]
            work.add_group([warp for warp, _ in own],
                           sum(len(r) for warp, _ in own for r in warp.requests),
                           sum(stored for _, stored in own))
        for row in range(start * window, min(m.rows, (start + 1) * window)):
            if m.length(row) > p["split_at"]:
                begin, end = m.row_ptr[row], min(m.row_ptr[row + 1], m.row_ptr[row] + 65536)
                requests = consecutive(m, begin, end)
                warps = [Warp("wide", len(part), part) for part in
                         (requests[i:i + WARP] for i in range(0, len(requests), WARP))]
                work.add_group(warps, end - begin, 12 * (end - begin) + 80 * len(warps))


METHODS = {"csr5": csr5, "csr_adaptive": csr_adaptive, "csr_vector": csr_vector,
           "evc_hyb": evc_hyb, "slices": slices, "speculative": speculative}


def kernels_of(method, m, p):
    """How many kernels a multiplication launches."""
    longest = m.longest()
    if method == "speculative":
        return 2
    limit = {"csr5": p.get("omega", 0) * p.get("sigma", 0) + 128,
             "csr_adaptive": p.get("nnz_multiplier", 0) * p.get("nnz_per_wg", 0) or m.nnz,
             "evc_hyb": p.get("chunk_weight", 0), "slices": p.get("split_at", 0),
             "csr_vector": 32 * min(p.get("lanes", 2), power_below(max(4, m.nnz // m.rows) / 2))}
    return 1 + (longest > limit[method])


def work_of(method, m, p):
    work = Work()
    METHODS[method](m, p, work)
    return work


def read_again(m, elements, epoch):
    """Sectors of x that memory must send more than once: a cache of so many elements keeps those
    that are read in most epochs of `epoch` nonzeros. Within an epoch a sector is read once."""
    if m.cols <= elements:
        return 0
    times = collections.Counter()
    for begin in range(0, m.nnz, epoch):
        times.update(set(map(SECTOR.__rfloordiv__, m.col[begin:begin + epoch])))
    return sum(count - 1 for count in
               sorted(times.values())[:max(0, len(times) - elements // SECTOR)])
