"""A listener that must stay silent: it counts every connection and every datagram that reaches it, by TCP and UDP."""

import select
import socket
import threading


class SilentListener:
    """Listens at one address and port by TCP and UDP until it is closed."""

    def __init__(self, address: str = "127.0.0.9") -> None:
        self.address = address
        self.heard: list[str] = []
        self._tcp = socket.socket()
        self._tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._tcp.bind((address, 0))
        self.port = int(self._tcp.getsockname()[1])
        self._tcp.listen(64)
        self._udp = socket.socket(type=socket.SOCK_DGRAM)
        self._udp.bind((address, self.port))
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._ended.is_set():
            for ready in select.select([self._tcp, self._udp], [], [], 0.05)[0]:
                if ready is self._tcp:
                    connection, _ = ready.accept()
                    connection.settimeout(0.2)
                    try:
                        said = connection.recv(200)
                    except OSError:
                        said = b""
                    connection.close()
                    self.heard.append(f"TCP {said!r}")
                else:
                    self.heard.append(f"UDP {ready.recv(200)!r}")

    def close(self) -> None:
        """Stop listening."""
        self._ended.set()
        self._thread.join()
        self._tcp.close()
        self._udp.close()
