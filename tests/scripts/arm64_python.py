"""arm64_python.py: Debian's Python for 64-bit Arm in a folder, run by qemu-user.

apt-get fetches the packages, with lists of its own in that folder; nothing is installed.
"""
import glob
import json
import os
import shutil
import subprocess

# NumPy's wheels take the C++ library from the system.
PACKAGES = ["python3-minimal", "libpython3-stdlib", "libstdc++6"]
# pip's names of the systems that the folder's C library serves.
PLATFORMS = ["manylinux2014_aarch64", "manylinux_2_27_aarch64", "manylinux_2_28_aarch64"]


def missing_program():
    """A program that this needs and that is not installed; None: all are."""
    return next((name for name in ("qemu-aarch64", "apt-get", "dpkg") if not shutil.which(name)),
                None)


class Arm64Python:
    """`why` says why there is none; if it is None, `command` is the words that run it."""

    def __init__(self, folder):
        self.folder = folder
        self.root = os.path.join(folder, "root")
        self.why = self._unpack()
        if self.why:
            return
        names = [name for name in os.listdir(os.path.join(self.root, "usr/bin"))
                 if name.startswith("python3.")]
        # An early CPU of this architecture, so that later instructions fail.
        self.command = ["qemu-aarch64", "-cpu", "cortex-a57", "-L", self.root,
                        os.path.join(self.root, "usr/bin", names[0])]
        result = subprocess.run([*self.command, "-c", "import json, sys\n"
                                 "print(json.dumps(sys.version_info[:2]))"],
                                text=True, capture_output=True, check=False)
        if result.returncode != 0:
            self.why = "Python for 64-bit Arm does not run: " + result.stderr.strip()[-300:]
            return
        self.version = ".".join(map(str, json.loads(result.stdout)))

    def _apt(self, *words):
        place = self.folder
        settings = {"Dir::State": f"{place}/state", "Dir::State::status": f"{place}/status",
                    "Dir::Cache": f"{place}/cache", "APT::Architecture": "arm64",
                    "APT::Architectures::": "arm64", "APT::Sandbox::User": "",
                    "Acquire::Retries": "1", "Debug::NoLocking": "true"}
        options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        return subprocess.run(["apt-get", "-qq", *options, *words], text=True,
                              capture_output=True, check=False, stdin=subprocess.DEVNULL)

    def _unpack(self):
        """Fetches and unpacks the packages; returns why that failed, or None."""
        for name in ("state/lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        with open(os.path.join(self.folder, "status"), "w", encoding="utf-8"):
            pass
        for words in (["update"],
                      ["install", "--yes", "--download-only", "--no-install-recommends",
                       *PACKAGES]):
            result = self._apt(*words)
            if result.returncode != 0:
                return ("apt-get fetches no packages for 64-bit Arm: "
                        + " ".join((result.stdout + result.stderr).split())[-300:])
        shutil.rmtree(self.root, ignore_errors=True)
        for package in glob.glob(os.path.join(self.folder, "cache/archives/*.deb")):
            subprocess.run(["dpkg", "-x", package, self.root], check=True)
        # Programs name their loader in /lib, which since Debian 13 is a link that no package has.
        loader = os.path.join(self.root, "lib/ld-linux-aarch64.so.1")
        if not os.path.exists(loader):
            os.makedirs(os.path.dirname(loader), exist_ok=True)
            os.symlink("../usr/lib/ld-linux-aarch64.so.1", loader)
        return None

    def pip_options(self):
        """Options by which another machine's pip installs for this Python."""
        platforms = [f"--platform={name}" for name in PLATFORMS]
        abis = ["--abi=cp" + self.version.replace(".", ""), "--abi=abi3", "--abi=none"]
        return [*platforms, *abis, "--implementation=cp", f"--python-version={self.version}",
                "--only-binary=:all:"]
