#!/usr/bin/env python3
"""counters.py --metrics: the metrics that the stage profile of bench/gpu.sh counts, with commas.

report.py imports this file to read Nsight Compute's files, FOLDER/NAME.csv, and to lay them out. A
file has lines of its own before the table, a line of column names, a line of units, then a line for
each kernel.
"""
import csv
import sys

# (head of the column, metric, its factor, format). Nsight Compute gives base units: ns and bytes.
COLUMNS = [
    ("us", "gpu__time_duration.sum", 1e-3, ".1f"),
    ("grid", "launch__grid_size", 1, ".0f"),
    ("block", "launch__block_size", 1, ".0f"),
    ("regs", "launch__registers_per_thread", 1, ".0f"),
    ("warps", "sm__warps_active.avg.pct_of_peak_sustained_active", 1, ".0f"),
    ("read MB", "dram__bytes_read.sum", 1e-6, ".1f"),
    ("wrote MB", "dram__bytes_write.sum", 1e-6, ".1f"),
    ("dram", "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1, ".0f"),
    ("L1", "l1tex__t_sector_hit_rate.pct", 1, ".0f"),
    ("L2", "lts__t_sector_hit_rate.pct", 1, ".0f"),
    ("l1tex", "l1tex__throughput.avg.pct_of_peak_sustained_active", 1, ".0f"),
    ("sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1e-6, ".2f"),
    ("requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e-6, ".2f"),
    ("inst", "smsp__inst_executed.sum", 1e-6, ".2f"),
    ("issue", "smsp__issue_active.avg.pct_of_peak_sustained_active", 1, ".0f"),
    ("long", "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 1, ".1f"),
    ("barrier", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 1, ".1f"),
]
LEGEND = [
    "profile  of single kernels by Nsight Compute, which empties the caches before each; us: "
    "duration;",
    "         warps, issue: % of warps active and of issue slots used; dram: % of peak; L1, L2: "
    "hit rates;",
    "         sectors, requests: of global loads, inst: warp instructions, in millions; long, "
    "barrier:",
    "         warps that wait for memory and at barriers, for each issue",
]


def number(text):
    """Nsight Compute writes 1,234.5; a metric that the GPU does not have is n/a or empty."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def read(path):
    """[{"kernel": NAME, METRIC: number or None}] of one file."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        rows = list(csv.reader(line for line in file if line.startswith('"')))
    if not rows:
        return []
    names = {name: index for index, name in enumerate(rows[0])}
    kernels = []
    for row in rows[2:]:            # behind the units
        found = {"kernel": row[names["Kernel Name"]].split("(")[0]}
        for _, metric, factor, _ in COLUMNS:
            value = number(row[names[metric]]) if metric in names else None
            found[metric] = None if value is None else value * factor
        kernels.append(found)
    return kernels


def collect(folder):
    """{"refused": why there is no profile, or ""; "failed": {ITEM: why}; "items": {ITEM:
    kernels}}"""
    refused = folder / "refused"
    return {"refused": refused.read_text(encoding="utf-8").strip() if refused.exists() else "",
            "failed": {path.stem: path.read_text(encoding="utf-8").strip()
                       for path in sorted(folder.glob("*.failed"))},
            "items": {path.stem: read(path) for path in sorted(folder.glob("*.csv"))}}


def rows_of(kernels):
    rows = [["kernel", *(head for head, *_ in COLUMNS)]]
    for kernel in kernels:
        rows.append([kernel["kernel"],
                     *("-" if kernel[metric] is None else format(kernel[metric], form)
                       for _, metric, _, form in COLUMNS)])
    return rows


if __name__ == "__main__":
    if sys.argv[1:] != ["--metrics"]:
        raise SystemExit(__doc__)
    print(",".join(metric for _, metric, *_ in COLUMNS))
