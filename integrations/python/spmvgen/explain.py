"""Why a plan has its method: the candidates and their costs."""
import html
import textwrap

COLUMNS = ("method", "target", "cost MB", "build MB", "layout MB", "note")


def _megabytes(count):
    return f"{count / 1e6:.4g}"


def _wrapped(pairs):
    """Lines of names and texts, at most 100 columns wide."""
    width = max(len(name) for name, text in pairs)
    return [textwrap.fill(text, 100, initial_indent=f"{name:{width}}  ",
                          subsequent_indent=" " * (width + 2)) for name, text in pairs]


class Explanation:
    """The candidates of a plan. str() is a table, and notebooks show one.

    candidates: dictionaries; the chosen one is the first. Costs are estimates in bytes moved: cost
    of one multiplication, build_cost of the plan. why_not says why a method could not be chosen.
    """

    def __init__(self, plan):
        self.candidates = plan._candidates()
        self.figures = plan._figures()
        self.reason = plan.reason
        self.method = plan.method
        self.target = plan.target
        self.conversions = plan.conversions
        rows, cols = plan.shape
        borrowed = ", ".join(plan.borrowed) or "nothing"
        if plan._is_unordered:
            borrowed = "nothing: columns repeat or do not ascend, so SciPy may reorder the matrix"
        self._lines = [
            ("matrix", f"{rows} x {cols}, {plan.nnz} nonzeros, {plan.dtype}"),
            ("chosen", f"{plan.method} for {plan.target}, {plan.threads} "
                       f"thread{'s' if plan.threads != 1 else ''}"),
            ("reason", plan.reason),
            ("converted", "; ".join(plan.conversions) or "nothing"),
            ("read in place", borrowed),
            ("allocated", f"{plan.layout_bytes} bytes in {plan.build_seconds:.3g} s"),
        ] + [(name, f"{value:.6g} {unit}".rstrip()) for name, value, unit in self.figures]

    def _row(self, candidate):
        if candidate["why_not"] is not None:
            return (candidate["method"], candidate["target"], "", "", "", candidate["why_not"])
        seconds = candidate["seconds"]
        return (candidate["method"], candidate["target"], _megabytes(candidate["cost"]),
                _megabytes(candidate["build_cost"]), _megabytes(candidate["layout_bytes"]),
                f"measured: {seconds * 1e6:.3g} us" if seconds else "")

    def __str__(self):
        lines = _wrapped(self._lines)
        possible = [c for c in self.candidates if c["why_not"] is None]
        if possible:
            table = [COLUMNS] + [self._row(candidate) for candidate in possible]
            widths = [max(map(len, column)) for column in zip(*table)]
            lines.append("")
            for row in table:
                cells = [cell.ljust(w) if i in (0, 1, 5) else cell.rjust(w)
                         for i, (cell, w) in enumerate(zip(row, widths))]
                lines.append("  ".join(cells).rstrip())
        impossible = [c for c in self.candidates if c["why_not"] is not None]
        if impossible:
            lines += ["", "not possible"]
            lines += _wrapped([(c["method"], c["why_not"]) for c in impossible])
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self):
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        parts = ["<table>"] + [row(line, "td") for line in self._lines] + ["</table>"]
        if self.candidates:
            parts += ["<table>", row(COLUMNS, "th")]
            parts += [row(self._row(candidate), "td") for candidate in self.candidates]
            parts.append("</table>")
        return "\n".join(parts)
