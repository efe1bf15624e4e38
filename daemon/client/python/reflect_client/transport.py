from __future__ import annotations

import hashlib
import itertools
import json
import os
import stat
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Mapping, Optional, Tuple, Union

from .errors import ReflectError

# The daemon is on this machine, so a proxy from the environment must not be asked.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Transport:
    """Sends to the daemon of a Reflect home. Its address is read for every call, so a restart goes unnoticed."""

    def __init__(self, home: Optional[Union[str, Path]], timeout: float) -> None:
        default = os.environ.get("REFLECT_HOME") or Path.home() / ".reflect"
        self._home = Path(home or default)
        self._timeout = timeout
        self._ids = itertools.count(1)

    def call(self, method: str, params: Mapping[str, Any]) -> Any:
        port, token = self._address()
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/rpc",
            data=json.dumps(body).encode(),
            headers={"content-type": "application/json", "authorization": f"Bearer {token}"},
        )
        try:
            with _OPENER.open(request, timeout=self._timeout) as response:
                reply = json.load(response)
        except urllib.error.HTTPError as error:
            reply = json.load(error)
        except (OSError, ValueError) as error:
            raise ReflectError("unreachable", f"The daemon does not respond: {error}") from error
        if "error" in reply:
            data = reply["error"].get("data", {})
            raise ReflectError(data.get("code", "internal"), reply["error"]["message"], data.get("detail"))
        return reply["result"]

    def _address(self) -> Tuple[int, str]:
        run_file = _run_folder(self._home) / "daemon.json"
        try:
            run = json.loads(run_file.read_text("utf-8"))
            return run["port"], run["token"]
        except (OSError, ValueError, KeyError) as error:
            message = f"No daemon is running: {run_file} is missing. `reflect start` starts one."
            raise ReflectError("unreachable", message) from error


def _run_folder(home: Path) -> Path:
    """The folder of the run file: in the home or, if that is read-only, among the temporary files if it is ours."""
    usual = home / "run"
    if os.name == "nt" or not home.exists() or os.access(home, os.W_OK):
        return usual
    name = hashlib.sha256(str(home).encode()).hexdigest()[:16]
    shelter = Path("/tmp") / f"reflect-{os.getuid()}" / name
    return shelter if all(map(_is_ours, (shelter.parent, shelter))) else usual


def _is_ours(folder: Path) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
