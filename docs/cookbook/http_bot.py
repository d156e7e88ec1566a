"""A bot that is asked over HTTP: the program behind `url = "http://127.0.0.1:8000/"`."""

import json
import random
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Bot(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {"type": "hello", "protocol": 1}
        if asked["type"] == "ask":
            order = random.choice(["LEFT", "RIGHT", "UP", "DOWN", "SPLIT"])
            answer = {"type": "answer", "nonce": asked["nonce"], "answer": order}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


ThreadingHTTPServer(("127.0.0.1", 8000), Bot).serve_forever()
