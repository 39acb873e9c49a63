"""roff.py: text and Markdown as roff with the macros of man(7)."""
import re
import textwrap

SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
           '"': "\\(dq"}


def escape(text):
    return "".join(SPECIAL.get(character, character) for character in text)


def line_of(text):
    """An escaped line that roff does not take for a request."""
    return "\\&" + text if text.startswith((".", "'")) else text


def inline(markdown):
    """A sentence of Markdown: code in bold; links without their targets, references none."""
    text = re.sub(r"\s\(\[[^]]*\]\([^)]*\)\)", "", markdown)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    pieces = re.split(r"`([^`]*)`", text)
    return "".join(f"\\fB{escape(piece)}\\fR" if i % 2 else escape(piece)
                   for i, piece in enumerate(pieces))


def unbroken(word):
    """A name must not be hyphenated: a word with more than small letters inside."""
    return "\\%" + word if re.search(r"[^a-z]", word[1:-1]) else word


def fill(escaped):
    """Lines of an escaped text; each sentence begins a line."""
    words = " ".join(map(unbroken, escaped.split()))
    sentences = re.sub(r"(?<=[.?!])\s+(?=[A-Z\\])", "\n", words)
    return [line_of(line) for sentence in sentences.split("\n")
            for line in textwrap.wrap(sentence, 78, break_long_words=False,
                                      break_on_hyphens=False)]


def paragraph(markdown):
    return fill(inline(markdown))


def item(name, lines):
    """A word, an escaped one, and its explanation."""
    return [".TP", f'.B "{name}"', *lines]


def code(lines):
    return [".PP", ".EX", *[line_of(escape(line)) for line in lines], ".EE"]


def sentence(text):
    """With a capital, unless it begins with a name, and a full stop."""
    text = text.strip()
    if re.match(r"[a-z]+(?=[ ,:]|$)", text):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."
