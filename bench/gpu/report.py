#!/usr/bin/env python3
"""report.py FOLDER: joins the results of bench/gpu.sh in FOLDER to FOLDER/gpu.json and gpu.txt.

FOLDER has bandwidth.json, and time/NAME.json and sweep/NAME.json of gpubench. It may have
checks/TOOL/MODULE.json of cuda_suite.py, profile/NAME.csv of Nsight Compute, time/NAME.failed with
the end of a log, and time/NAME.before and .after of nvidia-smi. time/NAME.part is the result of a
gpubench that was stopped; it is used if there is no NAME.json. Prints the table. Exit code 1: there
is nothing to report. The same folder gives the same bytes.

report.py FOLDER --slowest N: the N items where the fastest of libspmv is the slowest beside the
fastest of cuSPARSE, a line each: the item, and gpubench's --only for these two and slices.
"""
import json
import math
import os
import pathlib
import sys

import counters

# Modes of timing (modes.h), by preference: a contender is ranked by its first mode in this list.
BEYOND = ["chain_beyond", "launches_beyond"]
IN_L2 = ["chain_in_l2", "launches_in_l2"]
LEAST_RATIO = 0.95               # against the best of cuSPARSE, on any matrix


# ---- reading -----------------------------------------------------------------------------------

def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


def read_text(path):
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def in_order(path, ranking):
    """Sort key: the rank, then the name."""
    return (ranking.index(path.stem) if path.stem in ranking else len(ranking), path.stem)


def read_ranking(path):
    words = [line.removeprefix("shape:").replace("=", "-").split()
             for line in read_text(path).splitlines()]
    return ["-".join(word[:3]) for word in words if len(word) >= 3 and not word[0].startswith("#")]


def read_paths(folder):
    """For each matrix its NAME.json, else its NAME.part."""
    paths = {path.stem: path for ending in ("part", "json") for path in folder.glob("*." + ending)}
    return list(paths.values())


def read_checks(folder):
    """For each tool the number of modules, and the faults."""
    checks = {}
    for tool in sorted(path for path in folder.glob("*") if path.is_dir()):
        found = [read_json(path) for path in sorted(tool.glob("*.json"))]
        checks[tool.name] = {
            "modules": len(found),
            "cases": sum(result["cases"] for result in found),
            "wrong": [f"{result['module']}: {result['reason']}" for result in found
                      if not result["good"]],
        }
    return checks


# ---- results -----------------------------------------------------------------------------------

def median(result, modes):
    """The median in the first mode that the contender has, and that mode; or two Nones."""
    for mode in modes:
        if result["correct"] and mode in result["times"]:
            return result["times"][mode]["median"], mode
    return None, None


def best_of(results, family, mode):
    times = [(result["times"][mode]["median"], number) for number, result in enumerate(results)
             if result["family"] == family and result["correct"] and mode in result["times"]]
    return min(times, default=(None, None))


def derive(run, copy_rate):
    """Adds rates and ratios to the results of a matrix."""
    results = run["results"]
    for result in results:
        for mode, times in result["times"].items():
            best, _ = best_of(results, "cusparse", mode)
            rate = run["floor_bytes"] / times["median"] * 1e-9
            times["microseconds"] = times["median"] * 1e6
            times["gbytes_per_second"] = rate
            # In L2 the bandwidth of memory is no bound.
            times["share_of_copy"] = rate / copy_rate if copy_rate and "beyond" in mode else None
            times["best_cusparse_over_this"] = best / times["median"] if best else None
        seconds, _ = median(result, BEYOND)
        for cost in "analysis", "prepare":
            result[cost + "_multiplications"] = (result[cost + "_seconds"] / seconds
                                                 if seconds else None)


def best_ratio(run, modes):
    """libspmv's contender with the best ratio: (ratio, share of copy, label)."""
    found = []
    for result in run["results"]:
        _, mode = median(result, modes)
        ratio = mode and result["times"][mode]["best_cusparse_over_this"]
        if result["family"] == "spmv" and ratio:
            found.append((ratio, result["times"][mode]["share_of_copy"] or 0, label_of(result)))
    return max(found, default=(None, None, ""))


def slowest(runs, count):
    """[(item, --only)] of the runs with the least ratios. Both labels are there: a ratio needs
    both."""
    found = []
    for run in runs:
        ratio, _, label = best_ratio(run, BEYOND)
        if ratio:
            by_label = {label_of(result): result for result in run["results"]}
            _, mode = median(by_label[label], BEYOND)
            _, number_of_best = best_of(run["results"], "cusparse", mode)
            rival = label_of(run["results"][number_of_best])
            found.append((ratio, run["item"], ",".join([label, rival, "slices"])))
    return [(item, only) for _, item, only in sorted(found)[:count]]


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None


def summarise(runs):
    summary = {"below_least_ratio": []}
    for name, modes in ("beyond", BEYOND), ("in_l2", IN_L2):
        ratios = []
        for run in runs:
            ratio, _, label = best_ratio(run, modes)
            if ratio:
                ratios.append(ratio)
                if ratio < LEAST_RATIO:
                    summary["below_least_ratio"].append(
                        f"{run['item']} {name.replace('_', ' ')}: {label}, {ratio:.3f}")
        summary[name] = {"matrices": len(ratios), "geometric_mean": geometric_mean(ratios),
                         "least": min(ratios, default=None)}
    return summary


# ---- the table ---------------------------------------------------------------------------------

def label_of(result):
    words = [result["name"], result["target"], result["detail"]]
    return " ".join(word for word in words if word)


def number(value, form):
    return "-" if value is None else format(value, form)


def lay_out(rows, words):
    """Lines of text with aligned columns, the first `words` of them to the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if i < words else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


HEADS = ["variant", "us", "launched", "GB/s", "of copy", "ratio", "L2 us", "launched", "ratio",
         "analysis ms", "in mult.", "stored", "error"]


def row_of(result):
    def of(modes, key):
        _, mode = median(result, modes)
        return mode and result["times"][mode][key]

    return [
        label_of(result) + ("" if not result["no_graph"] else " (no graph)"),
        number(of(BEYOND, "microseconds"), ".2f"), number(of(BEYOND[1:], "microseconds"), ".2f"),
        number(of(BEYOND, "gbytes_per_second"), ".1f"), number(of(BEYOND, "share_of_copy"), ".3f"),
        number(of(BEYOND, "best_cusparse_over_this"), ".3f"),
        number(of(IN_L2, "microseconds"), ".2f"), number(of(IN_L2[1:], "microseconds"), ".2f"),
        number(of(IN_L2, "best_cusparse_over_this"), ".3f"),
        number(result["analysis_seconds"] * 1e3, ".2f"),
        number(result["analysis_multiplications"], ".0f"),
        number(result["stored_over_nnz"] or None, ".2f"),
        number(result["error_over_bound"], ".3f"),
    ]


def write_run(run):
    matrix = run["matrix"]
    lines = [f"{matrix['name']} ({matrix['class']}), {run['type']}, {run['offset']}: "
             f"{matrix['rows']} x {matrix['cols']}, {matrix['nnz']} nonzeros, rows of "
             f"{matrix['min_row']} to {matrix['max_row']}; {run['floor_bytes'] * 1e-6:.1f} MB, "
             f"{run['replicas']} replicas"]
    for when in "before", "after":
        if run["clocks"][when]:
            lines.append(f"  {when}: {run['clocks'][when]}")
    if not run.get("complete", True):
        modes = {mode for result in run["results"] for mode in result["times"]}
        lines.append(f"  incomplete: timed in {len(modes)} ways, and not checked after that")
    timed = [result for result in run["results"] if result["correct"]]
    timed.sort(key=lambda result: (median(result, BEYOND)[0] or math.inf, label_of(result)))
    if timed:
        lines += ["  " + line for line in lay_out([HEADS, *map(row_of, timed)], 1)]
    lines += [f"  not timed: {label_of(result)}: {result['failure']}"
              for result in run["results"] if not result["correct"]]
    lines += [f"  no graph: {label_of(result)}: {result['no_graph']}"
              for result in timed if result["no_graph"]]
    if run["no_modules"]:
        lines.append(f"  nothing of libspmv: {run['no_modules']}")
    return lines + [""]


def write_head(report):
    device, copy = report["device"], report["copy"]
    smi = f"; {report['nvidia_smi']}" if report["nvidia_smi"] else ""
    if device:
        lines = [f"device   {device['name']}, sm_{device['capability']}, "
                 f"{device['multiprocessors']} multiprocessors, "
                 f"L2 {device['l2_bytes'] / 2**20:.0f} MiB, "
                 f"{device['memory_bytes'] / 2**30:.0f} GiB",
                 f"versions gpubench {report['version']}; CUDA driver {device['driver']}, runtime "
                 f"{device['runtime']}; cuSPARSE {device['cusparse']}{smi}",
                 f"cuSPARSE {device['algorithms']}"]
    else:
        lines = [f"device   nothing was timed{smi}"]
    if copy:
        lines.append(f"copy     {copy['copy_gbytes_per_second']:.1f} GB/s, read and written, by "
                     f"{copy['fastest']}, of {copy['bytes'] / 2**20:.0f} MiB")
        if copy.get("read_gbytes_per_second"):
            lines.append(f"read     {copy['read_gbytes_per_second']:.1f} GB/s, by a kernel that "
                         "reads alone")
    if report["seconds"]:
        lines.append("seconds  " + ", ".join(f"{stage} {seconds}" for stage, seconds in
                                             report["seconds"].items()))
    if report["refused"]:
        lines.append(f"sanitize none: {report['refused']}")
    for tool, check in report["checks"].items():
        lines.append(f"{tool:<12} {check['modules']} modules, {check['cases']} cases: "
                     + (f"{len(check['wrong'])} WRONG" if check["wrong"] else "nothing to tell"))
        lines += [f"    {reason}" for reason in check["wrong"]]
    return lines + [
        "columns  us: median of one multiplication beyond L2, in a graph of many (launched: by "
        "launches);",
        "         GB/s: least bytes / t; ratio: best cuSPARSE of the same way / t; "
        "docs/how-to/gpu.md says more", ""]


def write_summary(report):
    rows = [["matrix", "type", "variant", "ratio", "of copy", "variant in L2", "ratio"]]
    for run in report["matrices"]:
        ratio, share, label = best_ratio(run, BEYOND)
        in_l2, _, label_in_l2 = best_ratio(run, IN_L2)
        rows.append([run["matrix"]["name"], f"{run['type']} {run['offset']}", label or "-",
                     number(ratio, ".3f"), number(share, ".3f"), label_in_l2 or "-",
                     number(in_l2, ".3f")])
    lines = ["best of libspmv against the best of cuSPARSE", *lay_out(rows, 3)]
    for name in "beyond", "in_l2":
        part = report["summary"][name]
        lines.append(f"{name.replace('_', ' ')}: geometric mean "
                     f"{number(part['geometric_mean'], '.3f')} of {part['matrices']} matrices, "
                     f"least {number(part['least'], '.3f')}")
    lines += [f"below {LEAST_RATIO}: {text}" for text in report["summary"]["below_least_ratio"]]
    lines += [f"INCOMPLETE: {run['item']}" for run in report["matrices"]
              if not run.get("complete", True)]
    lines += [f"FAILED: {item}: {text}" for item, text in report["failed"].items()]
    return lines


def write_profile(profile):
    lines = [f"profile  none: {profile['refused']}"] if profile["refused"] else []
    for item, kernels in profile["items"].items():
        lines += [f"profile of {item}", *("  " + line for line in
                                          lay_out(counters.rows_of(kernels), 1)), ""]
    if profile["items"]:
        lines += [*counters.LEGEND, ""]
    lines += [f"FAILED: profile of {item}: {text}" for item, text in profile["failed"].items()]
    return lines


def write_sweep(sweep):
    """A line for each variant, a column for each matrix: microseconds."""
    if sweep["refused"]:
        return [f"sweep    none: {sweep['refused']}", ""]
    items = list(sweep["items"])
    labels = sorted({label for times in sweep["items"].values() for label in times})
    if not labels:
        return []
    rows = [["sweep, us", *items]]
    rows += [[label, *(number(sweep["items"][item].get(label), ".2f") for item in items)]
             for label in labels]
    return [*lay_out(rows, 1), *(f"FAILED: sweep of {item}: {text}"
                                 for item, text in sweep["failed"].items()), ""]


# ---- the report --------------------------------------------------------------------------------

def read_runs(folder):
    ranking = read_ranking(pathlib.Path(__file__).parent / "ranking.txt")
    runs = []
    for path in sorted(read_paths(folder), key=lambda path: in_order(path, ranking)):
        run = read_json(path)
        run["item"] = path.stem
        run["clocks"] = {when: read_text(path.with_suffix("." + when))
                         for when in ("before", "after")}
        runs.append(run)
    return runs


def read_failed(folder):
    return {path.stem: (read_text(path).splitlines() or ["no word"])[-1]
            for path in sorted(folder.glob("*.failed"))}


def read_seconds(path):
    """{stage: seconds of all calls}"""
    seconds = {}
    for line in read_text(path).splitlines():
        stage, taken = line.split()
        seconds[stage] = seconds.get(stage, 0) + int(taken)
    return seconds


def read_sweep(folder):
    """The times of correct variants; a wrong one has failed."""
    items, failed = {}, read_failed(folder)
    for run in read_runs(folder):
        items[run["item"]] = {label_of(result): median(result, BEYOND)[0] * 1e6
                              for result in run["results"] if median(result, BEYOND)[0]}
        failed.update({f"{run['item']}, {label_of(result)}": result["failure"]
                       for result in run["results"] if not result["correct"]})
    return {"refused": read_text(folder / "refused"), "items": items, "failed": failed}


def collect(folder):
    bandwidth = folder / "bandwidth.json"
    copy = read_json(bandwidth) if bandwidth.exists() else None
    runs = read_runs(folder / "time")
    for run in runs:
        derive(run, copy and copy["copy_gbytes_per_second"])
    checks = read_checks(folder / "checks")
    if not runs and not copy and not checks:
        return None
    first = runs[0] if runs else copy or {"version": "", "compiler": "", "cpu": "", "device": None}
    return {
        "gpubench": "results", "version": first["version"], "compiler": first["compiler"],
        "cpu": first["cpu"], "device": first["device"],
        "nvidia_smi": read_text(folder / "device.txt"),
        "copy": copy and {key: copy[key] for key in
                          ("copy_gbytes_per_second", "read_gbytes_per_second", "fastest", "bytes",
                           "copies") if key in copy},
        "seconds": read_seconds(folder / "seconds"),
        "checks": checks, "refused": read_text(folder / "checks" / "refused"),
        "summary": summarise(runs),
        "profile": counters.collect(folder / "profile"), "sweep": read_sweep(folder / "sweep"),
        "failed": read_failed(folder / "time"), "matrices": runs,
    }


def write(path, text):
    path = path.resolve()        # a link is followed, not replaced
    if path.exists() and not path.is_file():
        raise SystemExit(f"report.py: {path} is no regular file, and is not replaced")
    fresh = path.with_name(path.name + ".tmp")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)


def print_slowest(folder, count):
    runs = read_runs(folder / "time")
    for run in runs:
        derive(run, None)
    for item, only in slowest(runs, count):
        print(item, only)


def main():
    if len(sys.argv) == 4 and sys.argv[2] == "--slowest":
        return print_slowest(pathlib.Path(sys.argv[1]), int(sys.argv[3]))
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    report = collect(folder)
    if report is None:
        raise SystemExit(f"report.py: {folder} has no results: nothing was measured")
    devices = {run["device"]["name"] for run in report["matrices"]}
    if report["device"]:
        devices.add(report["device"]["name"])
    if len(devices) > 1:
        raise SystemExit(f"report.py: {folder} has figures of several devices, which do not "
                         "compare: " + ", ".join(sorted(devices)))
    lines = write_head(report)
    for run in report["matrices"]:
        lines += write_run(run)
    lines += write_profile(report["profile"]) + write_sweep(report["sweep"])
    text = "\n".join(lines + write_summary(report)) + "\n"
    write(folder / "gpu.json", json.dumps(report, indent=1) + "\n")
    write(folder / "gpu.txt", text)
    sys.stdout.write(text)
    return None


if __name__ == "__main__":
    main()
