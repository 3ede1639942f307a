"""Where the daemon and the token of this user are: the same rules as those of the command line."""

from __future__ import annotations

import json
import os
import socket
import stat
import struct
import urllib.parse
from typing import List, Optional

from .errors import BrowserUnavailableError, InvalidRequestError, SecurityError

TOKEN_FILE = "~/.agent-browser/serve-token.json"
_MAX_TOKEN_FILE = 1 << 20


def socket_path() -> str:
    """Returns the path of this user's socket: `$XDG_RUNTIME_DIR/action/daemon.sock` if that
    folder exists and belongs to this user, otherwise `action-UID/daemon.sock` in `$TMPDIR` or
    `/tmp`."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):
        try:
            info = os.stat(runtime)
            if stat.S_ISDIR(info.st_mode) and info.st_uid == os.geteuid():
                return runtime.rstrip("/") + "/action/daemon.sock"
        except OSError:
            pass
    temp = os.environ.get("TMPDIR", "")
    if not os.path.isabs(temp):
        temp = "/tmp"
    return "{}/action-{}/daemon.sock".format(temp.rstrip("/"), os.geteuid())


def check_folder(path: str) -> None:
    """Refuses the folder of a socket that another user can reach. A missing one is accepted:
    the connection then fails."""
    folder = os.path.dirname(path)
    try:
        info = os.lstat(folder)
    except FileNotFoundError:
        return
    wrong = ""
    if not stat.S_ISDIR(info.st_mode):
        wrong = "is not a folder"
    elif info.st_uid != os.geteuid():
        wrong = "belongs to another user"
    elif info.st_mode & 0o077:
        wrong = "can be reached by others, expected mode 0700"
    else:
        above = os.stat(os.path.dirname(folder)).st_mode
        if above & 0o002 and not above & stat.S_ISVTX:
            wrong = "is in one that everybody can write"
    if wrong:
        raise SecurityError(
            "the folder of the daemon's socket {}: {}".format(wrong, folder),
            suggestion="check the folder, and remove it if it is not yours",
        )
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise SecurityError(
                "found something else at the path of the daemon's socket: {}".format(path),
                suggestion="move it away",
            )
    except FileNotFoundError:
        pass


def check_peer(sock: socket.socket) -> None:
    """Refuses a daemon of another user, where the system says who it is."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return
    raw = sock.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    uid = struct.unpack("3i", raw)[1]
    if uid != os.geteuid():
        raise SecurityError(
            "the daemon at the socket belongs to another user",
            suggestion="set XDG_RUNTIME_DIR to a folder that you own",
        )


def no_daemon(path: str, cause: Optional[BaseException]) -> BrowserUnavailableError:
    """Returns the error of a call that has found no daemon."""
    err = BrowserUnavailableError(
        "no daemon answers at {}".format(path),
        suggestion="start it with: action daemon start",
        details={"reason": "no_daemon"},
    )
    err.__cause__ = cause
    return err


def busy(path: str, cause: BaseException) -> BrowserUnavailableError:
    """Returns the error of a daemon that does not accept a connection."""
    err = BrowserUnavailableError(
        "the daemon at {} does not accept connections: {}".format(path, cause),
        suggestion="try again; if that does not help: action daemon stop --force",
    )
    err.__cause__ = cause
    return err


def start_command(executable: Optional[str]) -> Optional[List[str]]:
    """Returns the command that starts the daemon, or None if `action` is not on the path."""
    import shutil

    found = shutil.which(executable or "action")
    return [found, "daemon", "start"] if found else None


class BaseURL:
    """The parts of the address of a server.

    Attributes:
        secure: whether it is an https: address
        host, port: where to connect
        prefix: the path before `/api`
    """

    def __init__(self, base_url: str) -> None:
        parts = urllib.parse.urlsplit(base_url)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
            raise InvalidRequestError(
                "found an invalid base_url, expected an address such as http://127.0.0.1:7666"
            )
        if parts.username is not None or parts.query or parts.fragment:
            raise InvalidRequestError(
                "found a base_url with a user, a query or a fragment, expected none",
                suggestion="pass the token in token",
            )
        self.secure = parts.scheme == "https"
        self.host = parts.hostname
        self.port = port or (443 if self.secure else 80)
        self.prefix = parts.path.rstrip("/")

    @property
    def authority(self) -> str:
        """The value of the header Host."""
        host = "[{}]".format(self.host) if ":" in self.host else self.host
        default = 443 if self.secure else 80
        return host if self.port == default else "{}:{}".format(host, self.port)

    @property
    def local(self) -> bool:
        """Whether the server is on this machine."""
        return self.host in ("localhost", "127.0.0.1", "::1")

    def __str__(self) -> str:
        return "{}://{}{}".format("https" if self.secure else "http", self.authority, self.prefix)


def default_token(address: BaseURL) -> str:
    """Returns this user's own token. It is only for a server on this machine."""
    missing = InvalidRequestError(
        "found no token for {}".format(address),
        suggestion="pass token=…; `action serve token` prints it on the machine of the server",
    )
    if not address.local:
        raise missing
    path = os.path.expanduser(TOKEN_FILE)
    try:
        info = os.lstat(path)
        if not stat.S_ISREG(info.st_mode) or info.st_mode & 0o077:
            raise SecurityError(
                "the file of tokens {} can be read by others, expected mode 0600".format(path)
            )
        with open(path, encoding="utf-8") as file:
            entries = json.loads(file.read(_MAX_TOKEN_FILE))
        for entry in entries:
            if entry["name"] == "default":
                return str(entry["token"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise missing
