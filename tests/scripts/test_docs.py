"""test_docs.py: the pages lead somewhere, and agree with the tree and with each other.

Links, anchors and paths; docs/ is complete in its index; versions; what is made by a script.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import tap
import pages
from machine import SOURCE
from pages import read


def test_links(name, text):
    folder, wrong = os.path.dirname(name), []
    for path, anchor in pages.links(text):
        target = os.path.normpath(os.path.join(folder, path)) if path else name
        if not os.path.exists(os.path.join(SOURCE, target)):
            wrong.append(path)
        elif anchor and (not target.endswith(".md") or anchor not in pages.anchors(read(target))):
            wrong.append(f"{path}#{anchor}")
    tap.ok(not wrong, f"{name}: each link leads to a file, each anchor to a heading", wrong)


def test_paths(name, text, written):
    """written: the files that pages have their reader write."""
    missing = [path for path in pages.paths(text)
               if not os.path.exists(os.path.join(SOURCE, path))
               and not any(file == path or file.startswith(path.rstrip("/") + "/")
                           for file in written)]
    tap.ok(not missing, f"{name}: the files and folders it names are there", missing)


def test_index(texts):
    """From docs/README.md, by README.md of folders, a reader comes to every page."""
    reached, todo = set(), ["docs/README.md"]
    while todo:
        name = todo.pop()
        reached.add(name)
        if name.endswith("README.md"):
            linked = [os.path.normpath(os.path.join(os.path.dirname(name), path))
                      for path, _ in pages.links(texts[name])]
            todo += [page for page in linked if page in texts and page not in reached]
    lost = [name for name in texts if name.startswith("docs/") and name not in reached]
    tap.ok(not lost, "docs/README.md leads to every page of docs/", lost)


def test_experiments(text):
    """Newest first; an idea is one paragraph of at most five lines, which begins with a verdict."""
    dates = re.findall(r"^## (\d{4}-\d\d-\d\d)$", text, flags=re.M)
    tap.ok(dates and dates == sorted(set(dates), reverse=True),
           "docs/experiments.md: dates, newest first", dates)
    ideas = re.findall(r"^### (.*)\n\n((?:.+\n)+)\n(?!\n|[^#])", text, flags=re.M)
    wrong = [title for title, lines in ideas
             if not re.match(r"\*\*[A-Z][^*]+\*\*", lines) or lines.count("\n") > 5]
    tap.ok(len(ideas) == len(re.findall(r"^### ", text, flags=re.M)) and not wrong,
           "docs/experiments.md: an idea is a verdict and its reason in at most five lines", wrong)


def test_changelog(text):
    sections = re.findall(r"^## (.*)$", text, flags=re.M)
    versions = sections[sections[0] == "Unreleased":]
    tap.ok(versions and all(re.fullmatch(r"\d+\.\d+\.\d+, \d{4}-\d\d-\d\d", version)
                            for version in versions),
           "CHANGELOG.md: Unreleased, if there is any, then each version with its date", sections)
    kinds = re.findall(r"^### (.*)$", text, flags=re.M)
    tap.ok(kinds and all(re.fullmatch("For .*|Added|Changed|Fixed|Removed", kind)
                         for kind in kinds),
           "CHANGELOG.md: by users, or Added, Changed, Fixed and Removed", kinds)
    newest = text.split("\n## ")[1].strip().splitlines()
    tap.ok(len(newest) <= 61, "CHANGELOG.md: the newest changes in at most 60 lines", len(newest))
    return versions[0].split(",")[0]


def test_versions(released):
    told = {
        "meson.build": re.search(r"^ +version: '(.*?)'", read("meson.build"), flags=re.M),
        "runtime/spmv.h": re.search(r'^#define SPMV_VERSION "(.*?)"', read("runtime/spmv.h"),
                                    flags=re.M),
        "packaging/debian/changelog": re.match(r"spmvgen \((.*?)\)",
                                               read("packaging/debian/changelog")),
        "generated/c/manifest.json": re.search(r'"generator_version": "(.*?)"',
                                                       read("generated/c/manifest.json")),
    }
    others = [f"{name}: {found and found[1]}" for name, found in told.items()
              if not found or found[1] != released]
    tap.ok(not others, f"every version is that of CHANGELOG.md, {released}", others)


def test_sizes(texts):
    for name, limit, size, unit in (
            ("README.md", 120, len(texts["README.md"].splitlines()), "lines"),
            ("docs/background/performance.md", 8192,
             len(texts["docs/background/performance.md"].encode()), "bytes")):
        tap.ok(size <= limit, f"{name}: at most {limit} {unit}", f"{size}")


def test_template_words():
    made = subprocess.run([sys.executable, os.path.join(SOURCE, "tools/template_words.py")],
                          capture_output=True, text=True, check=False)
    tap.ok(made.returncode == 0 and re.search(r"^\| `vreal v_fma\(", made.stdout, flags=re.M),
           "tools/template_words.py: every word of templates/prelude/ has a meaning", made.stderr)


def main():
    texts = {name: read(name) for name in pages.all_pages()}
    written = {file for text in texts.values() for file in pages.shown_files(text)}
    for name, text in texts.items():
        test_links(name, text)
        test_paths(name, text, written)
    test_index(texts)
    test_experiments(texts["docs/experiments.md"])
    test_sizes(texts)
    test_versions(test_changelog(texts["CHANGELOG.md"]))
    test_template_words()
    page = "# A b: `c`\n\n## x\n\n## x\n\n[l](f.md#g)\n\n```\n[no](x)\n```\n"
    tap.ok(pages.anchors(page) == {"a-b-c", "x", "x-1"} and pages.links(page) == [("f.md", "g")],
           "anchors and links of a page are found, those in code are not")
    tap.done()


main()
