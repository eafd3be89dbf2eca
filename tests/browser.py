"""A real browser without a window, told what to do over its own debugging protocol:
nothing but the standard library, so that its version and ours need not match."""

import base64
import contextlib
import json
import os
import shutil
import socket
import struct
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Browser:
    """Opens pages, watches their console and network, runs script in them."""

    def __init__(self, folder: Path) -> None:
        program = next((found for name in NAMES if (found := shutil.which(name))), None)
        assert program, f"none of {', '.join(NAMES)} is installed; .ci/run installs chromium"
        self._process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--remote-debugging-port=0",
                f"--user-data-dir={folder}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port = self._port(folder / "DevToolsActivePort")
        with urlopen(f"http://127.0.0.1:{port}/json/list", timeout=30) as answer:
            page = next(one for one in json.load(answer) if one["type"] == "page")
        self._socket = _WebSocket(page["webSocketDebuggerUrl"])
        self._number = 0
        self.console: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.tell(f"{domain}.enable")

    def _port(self, file: Path) -> str:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with contextlib.suppress(FileNotFoundError, IndexError):
                return file.read_text().split()[0]
            assert self._process.poll() is None, "the browser ended"
            time.sleep(0.05)
        raise AssertionError("the browser does not answer")

    def tell(self, method: str, **parameters: object) -> dict:
        """Sends a command and returns its result; what happens meanwhile is noted."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.receive())
            if message.get("id") == self._number:
                assert "error" not in message, message
                return message["result"]
            self._note(message)

    def _note(self, message: dict) -> None:
        told = message.get("params", {})
        if message["method"] == "Runtime.exceptionThrown":
            self.console.append(json.dumps(told["exceptionDetails"]))
        elif message["method"] == "Runtime.consoleAPICalled":
            self.console.append(json.dumps(told["args"]))
        elif message["method"] == "Log.entryAdded":
            self.console.append(told["entry"]["text"])
        elif message["method"] == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif message["method"] == "Page.loadEventFired":
            self._loaded = True

    def open(self, url: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Opens a page and waits until it is loaded."""
        self.console, self.requests, self._loaded = [], [], False
        self.tell(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", features=[scheme])
        self.tell("Page.navigate", url=url)
        while not self._loaded:
            self._note(json.loads(self._socket.receive()))

    def run(self, script: str) -> object:
        """The value of an expression in the page."""
        done = self.tell("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Presses a key and lets it go."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.tell("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def picture(self) -> bytes:
        """The whole page as PNG."""
        return base64.b64decode(self.tell("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def close(self) -> None:
        """Ends the browser, and waits for it."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(timeout=30)


class _WebSocket:
    """As much of RFC 6455 as a client needs that sends and receives text."""

    def __init__(self, url: str) -> None:
        host, _, path = url.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self._socket = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /{path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        self._socket.sendall("\r\n".join(lines).encode())
        self._file = self._socket.makefile("rb")
        assert b"101" in self._file.readline()
        while self._file.readline().strip():
            pass

    def send(self, text: str) -> None:
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        head = struct.pack("!BBQ", 0x81, 0xFF, size) if size > 0xFFFF else head
        self._socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self) -> str:
        whole = b""
        while True:
            first, size = struct.unpack("!BB", self._file.read(2))
            size &= 0x7F
            if size >= 126:
                size = struct.unpack("!H" if size == 126 else "!Q", self._file.read(2 if size == 126 else 8))[0]
            data = self._file.read(size)
            if first & 0x0F in (0, 1):
                whole += data
                if first & 0x80:
                    return whole.decode()

    def close(self) -> None:
        self._file.close()
        self._socket.close()
