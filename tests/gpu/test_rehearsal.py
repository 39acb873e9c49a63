"""test_rehearsal.py [GPUBENCH]: bench/gpu.sh with the CUDA and cuSPARSE of fake_cuda.h, as on GPUs
that are available for minutes. Each call has a bare machine and is stopped by a signal at another
place; it packs its results, and the next call resumes. Every other machine gets a build that
another one made and that was carried along. In the end the results are those of one
call, and only interrupted work was done again."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import tap
from gpu_machine import Gpu, METHODS

RANKING = """shape:rmat f64 i32 30
shape:stencil-27 f64 i32 30
shape:uniform f64 i32 30
shape:power-law=2000 f32 i32 30
"""

# The beginning of every fake program: at the place where the call is to be stopped, it sends the
# signal and hangs.
STOPPING = r'''
stop_at()
{
    [ "$1" = "$(cat "$MACHINE/stop.at" 2>/dev/null)" ] || return 0
    rm "$MACHINE/stop.at"
    echo $$ >"$MACHINE/hanging"
    : >"$MACHINE/signalled"
    kill -TERM "$(cat "$MACHINE/pid")"
    exec sleep 1000
}
'''

# The fake on small matrices, with the CPU's kernels; csr_scalar stands for slices, which the CPU
# lacks. A "part" of a matrix: it hangs in the second mode, and the call is stopped as soon as the
# first one is on the disk.
FAKE = r'''
json=none name=bandwidth size= only=
for word; do
    case ${before-} in
    --json) json=$word ;;
    --shape) name=$word size="--size 2000" ;;
    esac
    before=$word
done
case " $* " in
*" --probe "*) name=probe ;;
*" --profile "*) stop_at profile ;;
*" --modes 1 "*) stop_at sweep; only="--only csr_scalar" ;;
esac
stop_at "$name"
if [ "part $name" = "$(cat "$MACHINE/stop.at" 2>/dev/null)" ]; then
    rm "$MACHINE/stop.at"
    echo $$ >"$MACHINE/hanging"
    export FAKE_CUDA=hangs-late-CSR_ALG2
    {
        while ! grep -q chain_beyond "$json"; do sleep 0.1; done
        : >"$MACHINE/signalled"
        kill -TERM "$(cat "$MACHINE/pid")"
    } >/dev/null 2>&1 &
fi
case " $* " in *" --size "*) size= ;; esac
exec env OMP_WAIT_POLICY=passive FAKE_GPUBENCH "$@" --target generic-c --patience 0 $size $only'''

STOPS = ["build", "probe", "suite", "memcheck", "racecheck", "bandwidth", "rmat",
         "part stencil-27", "power-law", "profile", "sweep", "report"]


class Rehearsal(Gpu):
    def __init__(self, program):
        super().__init__()
        self.write("a project/bench/gpu/ranking.txt", RANKING)
        self.script("a project/call.sh", 'echo $$ >"$MACHINE/pid"; exec bench/gpu.sh "$@"')
        self.script("gpubench", STOPPING + FAKE.replace("FAKE_GPUBENCH", f"'{program}'"))
        self.stop_in("bin/ninja", 'case " $* " in *" -C "*) stop_at build ;; esac')
        self.stop_in("kernel_suite", 'case " $* " in *" brief "*) stop_at suite ;; esac')
        self.stop_in("bin/compute-sanitizer", 'stop_at "$2"')
        report = self.path("a project/bench/gpu/report.py")
        with open(report, encoding="utf-8") as file:
            text = file.read()
        # The shell waits for this program, so it must not hang.
        self.write("a project/bench/gpu/report.py", text.replace("def main():", f"""def main():
    stop = pathlib.Path({self.path("stop.at")!r})
    if stop.exists() and stop.read_text(encoding="utf-8") == "report":
        stop.unlink()
        pathlib.Path({self.path("signalled")!r}).touch()
        os.kill(int(pathlib.Path({self.path("pid")!r}).read_text(encoding="utf-8")), 15)
""", 1))

    def stop_in(self, name, line):
        with open(self.path(name), encoding="utf-8") as file:
            first, log, body = file.read().split("\n", 2)
        self.write(name, "\n".join([first, log, STOPPING, line, body]))
        os.chmod(self.path(name), 0o755)

    def call(self, pack, resume, stop, carried=None):
        """carried: the folder of a build; then there are no compilers. Returns (the result, its
        seconds after the signal, whether the hanging program has ended)."""
        if stop:
            self.write("stop.at", stop)
        words = ["--resume", pack] if resume else []
        if carried:
            words += ["--carried", carried]
            for name in "bin/ninja", "bin/meson", "bin/cc":
                os.remove(self.path(name))
        result = self.run("call.sh", "--jobs", "1", "--pack", pack, *words)
        signalled = self.path("signalled")
        seconds = time.time() - os.stat(signalled).st_mtime if os.path.exists(signalled) else 0
        for _ in range(50):
            if not self.hangs():
                break
            time.sleep(0.1)
        return result, seconds, not self.hangs()

    def hangs(self):
        """Whether the program still runs a while after the signal."""
        if not os.path.exists(self.path("hanging")):
            return False
        with open(self.path("hanging"), encoding="utf-8") as file:
            pid = int(file.read())
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    def done(self):
        """The work that this call completed."""
        def words(call):
            return call.split()

        runs = [w for w in map(words, self.calls("gpubench")) if w[0] == "--shape"]
        done = [f"{'profile' if '--profile' in w else 'sweep' if '--modes' in w else 'time'} "
                f"{w[1]} {w[w.index('--type') + 1]}" for w in runs]
        done += ["bandwidth" for call in self.calls("gpubench") if "--bandwidth" in call]
        done += [f"suite {w[w.index('--module') + 1]}"
                 for w in map(words, self.calls("kernel_suite")) if "brief" in w]
        done += [f"{w[1]} {w[w.index('--module') + 1]}"
                 for w in map(words, self.calls("compute-sanitizer"))]
        return done


def said(result):
    return f"exit code {result.returncode}\n{result.stdout}{result.stderr}"


def report_of(pack):
    """The report in a pack, without times of this machine's clock; {}: there is none."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-C", folder, "-xzf", pack], check=True)
        path = os.path.join(folder, "gpu.json")
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    del report["seconds"]
    for run in report["matrices"]:
        for result in run["results"]:
            for key in [key for key in result if key.startswith(("first", "prepare", "analysis"))]:
                del result[key]
    return report


def rehearse(program, pack, build):
    """Runs machines that are each stopped at another place, then one that is not. Returns the work
    of each."""
    done, before = [], {}
    for number, stop in enumerate([*STOPS, None]):
        with Rehearsal(program) as m:
            result, seconds, ended = m.call(pack, os.path.exists(pack), stop,
                                            build if number % 2 else None)
            is_packed = os.path.exists(pack)
            report = report_of(pack) if is_packed else {}
            if stop:
                tap.ok(result.returncode == 128 + signal.SIGTERM and seconds < 200 and ended
                       and "stopped by a signal" in result.stdout
                       and is_packed == (stop not in ("build", "probe")),
                       f"stopped at {stop}: the call ends at once, and all that is known is packed",
                       f"{seconds:.1f} s, hangs: {not ended}\n{said(result)}")
            else:
                tap.ok(result.returncode == 0, "the last call is right", said(result))
            if stop == "part stencil-27":
                cut = [run for run in report["matrices"] if run["item"] == "stencil-27-f64-i32"]
                tap.ok(cut and not cut[0]["complete"]
                       and set(cut[0]["results"][0]["times"]) == {"chain_beyond"},
                       "of the matrix in progress the ways that were timed are reported", str(cut))
            lost = [run["item"] for run in before.get("matrices", [])
                    if run["complete"] and run not in report["matrices"]]
            tap.ok(not lost, f"stopped at {stop}: nothing is lost" if stop
                   else "to the last nothing is lost", lost)
            done.append(m.done())
            before = report
    return done


def main(program):
    with tempfile.TemporaryDirectory() as scratch:
        at_once = os.path.join(scratch, "once.tar.gz")
        in_pieces = os.path.join(scratch, "pieces.tar.gz")
        with Rehearsal(program) as m:
            build = os.path.join(scratch, "build")
            result = m.run("call.sh", "--carry", build)
            tap.ok(result.returncode == 0, "a machine without a GPU builds what others carry",
                   said(result))
            result, _, _ = m.call(at_once, False, None)
            expected = m.done()
            tap.ok(result.returncode == 0 and len(expected) == 1 + 4 + 3 + 3 + 3 * len(METHODS)
                   and os.path.getsize(at_once) < 1 << 20, "one call does all, and packs it",
                   said(result))
        done = rehearse(program, in_pieces, build)
        every = [name for call in done for name in call]
        again = sorted(name for name in set(every) for _ in range(every.count(name) - 1))
        tap.ok(set(every) == set(expected) and len(again) == len(STOPS) - 3,
               "nothing is done again but what was in progress", again)
        one, other = report_of(at_once), report_of(in_pieces)
        tap.ok(one == other and len(one["matrices"]) == 4 and len(one["profile"]["items"]) == 3
               and len(one["sweep"]["items"]) == 3
               and one["checks"]["suite"]["modules"] == len(METHODS),
               "the report is that of one call", "")


if len(sys.argv) < 2:
    tap.skip("the rehearsal: cuda_runtime_api.h and cusparse.h, of CUDA 12 or later, are not there")
elif not shutil.which("timeout"):
    tap.skip("the rehearsal: there is no program timeout")
else:
    main(os.path.abspath(sys.argv[1]))
tap.done()
