"""pages.py: the project's pages in Markdown, and what tests look for in them."""
import os
import re

from machine import SOURCE, project_files


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def all_pages():
    """Every page, by its path below the root: those at the root, of docs/ and of generated/."""
    names = [name for name in os.listdir(SOURCE) if name.endswith(".md")] + ["generated/README.md"]
    for folder, _, files in os.walk(os.path.join(SOURCE, "docs")):
        names += [os.path.relpath(os.path.join(folder, file), SOURCE) for file in files
                  if file.endswith(".md")]
    return sorted(names)


def without_code(text):
    """The text without fenced and indented blocks of code."""
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.S | re.M)
    return re.sub(r"(?<=\n\n)(?: {4}.*\n)+", "", text)


def prose(text):
    """The text without blocks of code, and without code in lines."""
    return re.sub(r"`[^`\n]*`", "", without_code(text))


def links(text):
    """The links of a page that lead to files of the project: (path, anchor)."""
    found = re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", prose(text))
    return [link for link in found if not re.match(r"\w+:", link[0])]


def anchors(text):
    """What a page's headings are called in links, as GitHub makes it."""
    seen, found = {}, set()
    for heading in re.findall(r"^#+ (.*)$", without_code(text), flags=re.M):
        name = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", name).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def shown_files(text):
    """The files that a page has its reader write: {path: text}."""
    return dict(re.findall(r"<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", text, flags=re.S | re.M))


def paths(text):
    """Words in backquotes that begin with a folder of the project, without placeholders."""
    folders = {path.split("/")[0] for path in project_files() if "/" in path}
    words = re.findall(r"`([\w.-]+/[\w./-]*)`", without_code(text))
    return [word for word in words
            if word.split("/")[0] in folders and not re.search("[A-Z]{4}", word)]
