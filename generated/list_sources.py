"""list_sources.py FOLDER...: the C files that the manifests of emitted folders name, one a line."""
import json
import sys

for folder in sys.argv[1:]:
    with open(folder + "/manifest.json", encoding="utf-8") as manifest:
        for method in json.load(manifest)["methods"]:
            print(f"{folder}/{method['file']}")
