"""A relay of TCP connections that a test can cut: `python relay.py LISTEN_HOST PORT HOST PORT`.

On SIGUSR1 nothing passes any more, in either direction, and nobody is told: a network that is cut.
The next SIGUSR1 mends it; what waited goes on.
"""

import asyncio
import signal
import socket
import sys


def notice_a_gap(connection: socket.socket) -> None:
    """Give up a peer that is gone without a word, as PostgreSQL itself is told to."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_KEEPIDLE, 5),
        (socket.TCP_KEEPINTVL, 3),
        (socket.TCP_KEEPCNT, 3),
        (socket.TCP_USER_TIMEOUT, 15_000),
    ):
        connection.setsockopt(socket.IPPROTO_TCP, option, value)


async def main(listen: str, at: int, host: str, port: int) -> None:
    """Pass bytes on until killed."""
    passing = asyncio.Event()
    passing.set()

    def cut_or_mend() -> None:
        if passing.is_set():
            passing.clear()
        else:
            passing.set()

    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, cut_or_mend)

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                await passing.wait()
                target.write(data)
                await target.drain()
        except OSError:  # one of them is gone; the other is told
            pass
        finally:
            await passing.wait()
            target.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await passing.wait()
        notice_a_gap(writer.get_extra_info("socket"))
        try:
            there, back = await asyncio.open_connection(host, port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, back), copy(there, writer))

    server = await asyncio.start_server(serve, listen, at, backlog=512)
    sys.stdout.write("relays\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
