"""Takes what MediaPipe has found on a phone, and answers with the repetitions and a report.

    MOTION_URL=http://127.0.0.1:8080/anymotion/v1 MOTION_TOKEN=... python3 phone.py 8000

POST / takes {"results": [...], "size": [width, height], "mirrored": true}: PoseLandmarkerResult of each frame, with
timestamp_ms, as the apps of MediaPipe write it. GET /report/ID is a page to print. Needs Python alone.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def motion(method, path, body=None):
    """Calls the service, and returns the text that it answers."""
    headers = {"Authorization": "Bearer " + os.environ["MOTION_TOKEN"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["MOTION_URL"] + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def repetitions(results, size, mirrored=False):
    """Returns what the service finds in the results of MediaPipe."""
    given = {"format": "mediapipe", "data": results, "size": size, "mirrored": mirrored, "clean": True}
    keypoints = json.loads(motion("POST", "/keypoints/", given))["id"]
    analysis = json.loads(motion("POST", "/analyses/", {"keypointId": keypoints, "overview": True}))["id"]
    record = json.loads(motion("GET", f"/analyses/{analysis}/?wait=30"))
    if record["execStatus"] != "SUCCESS":
        raise ValueError(record["failureDetail"] or "the analysis takes too long")
    found = record["overview"]
    listed = (found["repetitions"] or {"list": []})["list"]
    return {"movement": found["movement"], "repetitions": listed, "report": f"/report/{keypoints}"}


class Phone(BaseHTTPRequestHandler):
    def do_POST(self):
        def answer():
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            return json.dumps(repetitions(asked["results"], asked["size"], asked.get("mirrored", False)))

        self.reply("application/json", answer)

    def do_GET(self):
        def answer():
            return motion("GET", f"/keypoints/{int(self.path.removeprefix('/report/'))}/?format=report")

        self.reply("text/html; charset=utf-8", answer)

    def reply(self, kind, answer):
        try:
            status, text = 200, answer()
        except urllib.error.HTTPError as error:  # what the service refuses, with its reason
            status, kind, text = error.code, "application/json", error.read().decode()
        except (KeyError, TypeError, ValueError) as error:
            status, kind, text = 400, "application/json", json.dumps({"detail": str(error)})
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Phone)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
