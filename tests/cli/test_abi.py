#!/usr/bin/env python3
"""test_abi.py [--print]: SPMV_MODULE_ABI is the hash of the declarations around it.

The hash is the first 16 hexadecimal digits of SHA-256 over the header without comments, white space
and the line that states it. After a change of the contract, --print gives the value to put there.
"""
import hashlib
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap

HEADER = Path(__file__).resolve().parents[2] / "runtime" / "spmv_module.h"
STATED = re.compile(r"^#define SPMV_MODULE_ABI UINT64_C\(0x([0-9a-f]{16})\)$", re.M)


def contract_hash(text):
    text = STATED.sub("", text)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"\s+", "", text)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main():
    text = HEADER.read_text()
    stated = STATED.findall(text)
    if "--print" in sys.argv:
        print("0x" + contract_hash(text))
        return
    tap.ok(len(stated) == 1, "the contract states its hash once")
    tap.ok(stated == [contract_hash(text)], "SPMV_MODULE_ABI is the hash of the declarations",
           f"stated {stated}, is {contract_hash(text)}: put it into {HEADER.name}")
    commented = text.replace("/* The hash of this contract", "/* Another comment. */\n/* The hash")
    tap.ok(contract_hash(commented) == contract_hash(text), "comments do not change the hash")
    tap.ok(contract_hash(text.replace("int64_t nnz;", "int32_t nnz;")) != contract_hash(text),
           "a field's type changes the hash")
    tap.done()


main()
