"""Answers NetworkManager's connectivity check: as the Internet does, or as a portal does.

    portal.py ADDRESS full|portal
"""

import http.server
import sys

ANSWER = {"full": b"NetworkManager is online\n", "portal": b"Sign in\n"}[sys.argv[2]]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if sys.argv[2] == "full":
            self.send_response(200)
            self.send_header("X-NetworkManager-Status", "online")
        else:
            self.send_response(302)
            self.send_header("Location", f"http://{sys.argv[1]}/sign-in")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)


server = http.server.ThreadingHTTPServer((sys.argv[1], 80), Handler)
print("listening", flush=True)
server.serve_forever()
