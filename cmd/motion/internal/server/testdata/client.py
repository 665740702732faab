"""Drives the server through the public Python client, unmodified.

usage: client.py BASE_URL CLIENT_ID SECRET IMAGE MOVIE FOLDER
"""

import sys
from pathlib import Path

from anymotion_sdk import Client

base, client_id, secret, image, movie, folder = sys.argv[1:]
client = Client(client_id, secret, api_url=base, interval=0.2, timeout=300)


def wait(result):
    assert result.status == "SUCCESS", (result.status, result.failure_detail, result.json)
    return result.json


keypoints = {}
for path in (image, movie):
    up = client.upload(path, text="a description")
    if path == image:
        assert up.image_id and up.movie_id is None, up
        keypoint_id = client.extract_keypoint(image_id=up.image_id)
    else:
        assert up.movie_id and up.image_id is None, up
        keypoint_id = client.extract_keypoint(data={"movie_id": up.movie_id})
    record = wait(client.wait_for_extraction(keypoint_id))
    assert record["failureDetail"] is None, record
    keypoints[path] = keypoint_id

still = client.get_keypoint(keypoints[image], join_data=True)
assert len(still["keypoint"]) == 1 and len(still["keypoint"][0]) == 17, still
nose = still["keypoint"][0]["nose"]
assert abs(nose[0] - 571) < 36 and abs(nose[1] - 112) < 36, nose
assert still["image"]["width"] == 1200 and still["image"]["height"] == 1200, still["image"]
assert still["image"]["text"] == "a description" and still["movie"] is None, still

moving = client.get_keypoint(keypoints[movie], join_data=True)
assert len(moving["keypoint"]) == moving["movie"]["frame"], moving["movie"]
assert moving["movie"]["time"] == "00:00:02" and abs(moving["movie"]["fps"] - 24) < 0.01, moving["movie"]

rule = [
    {"analysisType": "vectorAngle", "points": ["leftHip", "leftKnee", "leftAnkle"]},
    {"analysisType": "coordinate", "points": [{"pointType": "midpoint", "pointName": ["leftHip", "rightHip"]}]},
]
analysis_id = client.analyze_keypoint(keypoints[image], rule=rule)
analysis = wait(client.wait_for_analysis(analysis_id))
angle = analysis["result"][0]["values"][0]
assert 160 < angle <= 180, analysis
assert len(analysis["result"][1]["values"][0]) == 2, analysis
assert analysis["rule"][0]["points"][0] == {"pointType": "single", "pointName": "leftHip"}, analysis["rule"]

comparison_id = client.compare_keypoint(keypoints[movie], keypoints[image])
comparison = wait(client.wait_for_comparison(comparison_id))
assert len(comparison["difference"]) == len(moving["keypoint"])
assert all(0 <= d["distance"] <= 1 and 0 <= d["direction"] < 360 for f in comparison["difference"] for d in f.values())

drawings = [
    (client.draw_keypoint(keypoint_id=keypoints[image]), ".jpg"),
    (client.draw_keypoint(keypoint_id=keypoints[movie], rule={"drawingType": "stickPicture", "pattern": "all", "color": "red"},
                          background_rule={"skeletonOnly": True}), ".mp4"),
    (client.draw_keypoint(comparison_id=comparison_id), ".mp4"),
]
for drawing_id, suffix in drawings:
    record = wait(client.wait_for_drawing(drawing_id))
    path = client.download(drawing_id, path=folder)
    assert path.suffix == suffix and path.stat().st_size > 1000, path
    head = path.read_bytes()[:12]
    assert head[:3] == b"\xff\xd8\xff" if suffix == ".jpg" else head[4:8] == b"ftyp", head

for name, count in [("images", 1), ("movies", 1), ("keypoints", 2), ("analyses", 1), ("comparisons", 1), ("drawings", 3)]:
    items = getattr(client, "get_" + name)()
    assert len(items) == count, (name, items)
assert [d["id"] for d in client.get_drawings(params={"execStatus": "FAILURE"})] == []
assert client.get_drawing(drawings[0][0], join_data=True)["keypoint"]["image"]["id"] == still["image"]["id"]
assert client.get_comparison(comparison_id, join_data=True)["source"]["movie"]["id"] == moving["movie"]["id"]
assert client.get_analysis(analysis_id, join_data=True)["keypoint"]["id"] == keypoints[image]
print("python client: ok")
