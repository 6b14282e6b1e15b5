"""Starts the sellers that its arguments name, each on a port of its own, and prints their origins as one line of JSON."""

import importlib
import json
import socket
import sys
import threading

import uvicorn
from flask import Flask
from werkzeug.serving import make_server


def serve(app):
    listening = socket.create_server(("127.0.0.1", 0))
    if isinstance(app, Flask):
        server = make_server("127.0.0.1", 0, app, threaded=True, fd=listening.fileno())
        run = server.serve_forever
    else:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        run = lambda: server.run(sockets=[listening])  # noqa: E731
    threading.Thread(target=run, daemon=True).start()
    return listening


sockets = {name: serve(importlib.import_module(name).app) for name in sys.argv[1:]}
origins = {name: f"http://127.0.0.1:{one.getsockname()[1]}" for name, one in sockets.items()}
print(json.dumps(origins), flush=True)
threading.Event().wait()
