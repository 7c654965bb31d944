"""A server on this machine that gives what it is told to, rightly or wrongly."""

import hashlib
import http.server
import io
import socket
import tarfile

TEXT = "가자.\nLet's go.\n".encode() * 1_009
OTHER = b"Stop.\n" * 503
NAME = "small"


def digest(content):
    return hashlib.sha256(content).hexdigest()


def archive(**members):
    """A tar.gz, its members in a folder that leads out of where it is unpacked."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(f"../../{name}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        self.server.answers.get(self.path, missing)(self)

    def log_message(self, *arguments):
        pass


def missing(handler):
    handler.send_error(404)


def says(content, told=None, then=None):
    """An answer: ``content``, its length told as ``told`` (0: not at all), and ``then`` what."""

    def answer(handler):
        handler.send_response(200)
        if told != 0:
            handler.send_header("Content-Length", str(len(content) if told is None else told))
        handler.end_headers()
        handler.wfile.write(content)
        if then is not None:
            handler.wfile.flush()
            then(handler)

    return answer


def leads(location):
    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", location)
        handler.end_headers()

    return answer


def dies(handler):
    """Close so that the other side gets a reset, as when the machine loses its power."""
    linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()


def left(place):
    """All that is in the data set's folder."""
    folder = place / NAME
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
