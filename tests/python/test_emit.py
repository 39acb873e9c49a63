"""spmvgen.emit runs the generator, or says how to get it."""
import os
import sys
from pathlib import Path

import pytest

import spmvgen

FAKE = f"""#!{sys.executable}
import sys
for argument in sys.argv[1:]:
    print("wrote out/" + argument)
print("generic-c: 2 modules in 5 files: 5 written, 0 unchanged, 0 removed")
sys.stderr.write("page.lua:3: error: no such fact" if "--target=bad" in sys.argv else "")
sys.exit(1 if "--target=bad" in sys.argv else 4 if "--target=silent" in sys.argv else 0)
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A program that prints its arguments as files; the only one on PATH."""
    program = tmp_path / "bin" / "spmvgen"
    program.parent.mkdir()
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.delenv("SPMVGEN", raising=False)
    return program


def given(*args, **options):
    return [path.name for path in spmvgen.emit(*args, **options)]


def test_arguments(fake):
    assert given("generic-c", "out") == ["--target=generic-c", "--output=out"]
    assert spmvgen.emit("generic-c", Path("a b"), bundle=True)[-1] == Path("out/--bundle=a b")
    assert given(["zen4", "generic-c"], "out", method=("strips", "csr5"), type="f64",
                 offsets="i32", values={"strips.lanes": 8}, prefix="mine", static=True,
                 figures=True, force=True, bundle=True) == [
        "--target=zen4", "--target=generic-c", "--method=strips", "--method=csr5", "--type=f64",
        "--offsets=i32", "--set=strips.lanes=8", "--bundle=out", "--prefix=mine", "--static",
        "--figures", "--force"]
    assert given("-x", "out")[0] == "--target=-x"


def test_where_the_generator_is(fake, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.write_text(FAKE.replace("wrote out/", "wrote other/"))
    other.chmod(0o755)
    assert spmvgen.emit("generic-c", "o")[0].parent == Path("out")
    monkeypatch.setenv("SPMVGEN", str(other))
    assert spmvgen.emit("generic-c", "o")[0].parent == Path("other")
    assert spmvgen.emit("generic-c", "o", generator=fake)[0].parent == Path("out")
    assert spmvgen.emit("generic-c", "o", generator="spmvgen")[0].parent == Path("out")


@pytest.mark.parametrize("by", ["PATH", "SPMVGEN", "generator"])
def test_no_generator(by, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SPMVGEN", raising=False)
    options = {}
    if by == "SPMVGEN":
        monkeypatch.setenv("SPMVGEN", "no/such/program")
    elif by == "generator":
        options["generator"] = tmp_path          # a folder
    with pytest.raises(spmvgen.GeneratorNotFound) as caught:
        spmvgen.emit("generic-c", tmp_path / "out", **options)
    assert isinstance(caught.value, FileNotFoundError)
    for text in (by, "./quickstart", "packaging/build-deb.sh", "SPMVGEN", "generator=PATH"):
        assert text in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_errors_are_the_generators(fake):
    with pytest.raises(spmvgen.GeneratorError) as caught:
        spmvgen.emit("bad", "out")
    assert str(caught.value) == "page.lua:3: error: no such fact"
    assert caught.value.exit_code == 1
    with pytest.raises(spmvgen.GeneratorError, match="ended with exit code 4"):
        spmvgen.emit("silent", "out")


# ---- the real program ----------------------------------------------------------------------------

@pytest.fixture
def real():
    program = os.environ.get("BUILT_SPMVGEN")
    if not program:
        pytest.skip("this build has no generator")
    return program


def test_folder_and_bundle(real, tmp_path):
    folder = tmp_path / "a folder"
    options = {"method": "csr_vector", "type": "f64", "generator": real}
    written = spmvgen.emit("generic-c", folder, **options)
    assert sorted(written) == sorted(folder.glob("[!.]*"))
    assert folder / "spmv_csr_vector__generic_c.c" in written
    assert spmvgen.emit("generic-c", folder, **options) == []
    (folder / "manifest.json").unlink()
    written = spmvgen.emit("generic-c", tmp_path / "bundle", bundle=True, prefix="mine", **options)
    assert {"mine_kernels.c", "mine_kernels.h"} <= {path.name for path in written}
    assert all(path.is_file() for path in written)


def test_refusals(real, tmp_path):
    with pytest.raises(spmvgen.GeneratorError, match="did you mean 'generic-c'") as caught:
        spmvgen.emit("generic-x", tmp_path / "out", generator=real)
    assert caught.value.exit_code == 1
    with pytest.raises(spmvgen.GeneratorError, match="has no parameter 'X'"):
        spmvgen.emit("generic-c", tmp_path / "out", values={"csr_vector.X": 1}, generator=real)
    written = spmvgen.emit("generic-c", tmp_path / "out", method="csr_vector", generator=real)
    written[0].write_text("changed by hand")
    with pytest.raises(spmvgen.GeneratorError):
        spmvgen.emit("generic-c", tmp_path / "out", method="csr_vector", generator=real)
    assert written[0] in spmvgen.emit("generic-c", tmp_path / "out", method="csr_vector",
                                      generator=real, force=True)
