from typing import Any

from spmvgen.plan import Plan

class Explanation:
    candidates: list[dict[str, Any]]
    figures: list[tuple[str, float, str]]
    reason: str
    method: str
    target: str
    conversions: tuple[str, ...]

    def __init__(self, plan: Plan) -> None: ...
    def _repr_html_(self) -> str: ...
