"""printed_tables.py: the tables that spmvbench printed."""
import re


def tables_of(text):
    """The tables of spmvbench: rows as dictionaries, by the words of the heading."""
    tables = []
    for block in re.findall(r"^(?:method|matrix) .*\n(?:.+\n)+", text, re.MULTILINE):
        lines = [re.split(r"\s{2,}", line.strip()) for line in block.splitlines()]
        if {"correct", "fastest"} & set(lines[0]):
            tables.append([dict(zip(lines[0], line)) for line in lines[1:]])
    return tables
