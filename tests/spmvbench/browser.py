"""browser.py: a headless Chromium through its driver, by the W3C's WebDriver protocol.

    with Browser() as browser:
        browser.open(path)
        browser.script("return document.title")

NoBrowser is raised, with the reason, where Chromium or its driver is missing.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]


class NoBrowser(Exception):
    pass


def find(names):
    found = [path for path in map(shutil.which, names) if path]
    if not found:
        raise NoBrowser(f"{names[0]} is not installed")
    return found[0]


class Browser:
    def __init__(self):
        program = find(PROGRAMS)
        self.folder = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen([find(["chromedriver"]), "--port=0"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       env={**os.environ, "HOME": self.folder.name})
        self.session = None
        try:
            self.address = f"http://127.0.0.1:{self.read_port()}"
            options = {"binary": program, "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--hide-scrollbars", "--force-device-scale-factor=1", "--no-first-run",
                f"--user-data-dir={self.folder.name}/profile"]}
            wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                      "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.session = answer["sessionId"]
            self.ask("POST", "/url", {"url": "about:blank"})   # away from Chromium's own page
            self.errors()
            self.requests()
        except Exception:
            self.close()
            raise

    def read_port(self):
        """chromedriver prints the port that it chose."""
        for line in self.driver.stdout:
            words = line.strip().rstrip(".").split()
            if "successfully" in words and words[-1].isdigit():
                return int(words[-1])
        raise NoBrowser("chromedriver does not start")

    def call(self, verb, path, body=None):
        request = urllib.request.Request(
            self.address + path, method=verb, headers={"Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message']}") from None

    def ask(self, verb, path, body=None):
        return self.call(verb, f"/session/{self.session}{path}", body)

    def command(self, name, **parameters):
        """A command of Chromium's own protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, path):
        self.ask("POST", "/url", {"url": pathlib.Path(path).resolve().as_uri()})

    def size(self, width, height, dark=False):
        """Sets the size of the page, and the theme that the system asks for."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def script(self, text, *arguments):
        return self.ask("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def press(self, key):
        """Presses and releases a key, as WebDriver writes keys: "\\ue007" is Enter."""
        self.ask("POST", "/actions", {"actions": [
            {"type": "key", "id": "keyboard",
             "actions": [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def errors(self):
        """What the console got since the last call, warnings and exceptions."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that the page asked for since the last call."""
        sent = [json.loads(entry["message"])["message"]
                for entry in self.ask("POST", "/se/log", {"type": "performance"})]
        return [message["params"]["request"]["url"] for message in sent
                if message["method"] == "Network.requestWillBeSent"]

    def shoot(self, path):
        """Writes a PNG of the whole page, down to 12000 pixels."""
        size = self.script("return [document.documentElement.clientWidth,"
                           " Math.min(12000, document.documentElement.scrollHeight)]")
        picture = self.command("Page.captureScreenshot", captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})
        pathlib.Path(path).write_bytes(base64.b64decode(picture["data"]))

    def close(self):
        if self.session:
            try:
                self.ask("DELETE", "")
            except (OSError, RuntimeError):
                pass
        self.driver.terminate()
        self.driver.wait(30)
        self.driver.stdout.close()
        for _ in range(20):
            try:
                self.folder.cleanup()
                break
            except OSError:          # Chromium's last processes still write into it
                time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
