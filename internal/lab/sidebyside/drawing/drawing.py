"""Draws skeletons with supervision and with OpenCV, and times it; main.go runs it."""

import json
import sys
import time

import cv2
import numpy as np
import supervision as sv

task = json.load(sys.stdin)
shape = (task["Height"], task["Width"], 3)
people = [np.array([p], dtype=np.float32) for p in task["People"]]
scenes = [np.full(shape, 255, dtype=np.uint8) for _ in people]
edges = [tuple(e) for e in task["Edges"]]
grey = (128, 128, 128)
side = max(shape)
# What Render takes for a picture of this size, in whole pixels.
width, radius = round(max(side / 400, 2)), round(max(side / 150, 4) / 2)
lines = sv.EdgeAnnotator(color=sv.Color(*grey), thickness=width, edges=edges)
dots = sv.VertexAnnotator(color=sv.Color(*grey), radius=radius)
key_points = [sv.KeyPoints(xy=p) for p in people]


def annotate(scene, i):
    lines.annotate(scene, key_points[i])
    dots.annotate(scene, key_points[i])


def plain(kind):
    def draw(scene, i):
        p = people[i][0]
        for a, b in edges:
            (xa, ya), (xb, yb) = p[a - 1], p[b - 1]
            cv2.line(scene, (int(xa), int(ya)), (int(xb), int(yb)), grey, width, kind)
        for x, y in p:
            cv2.circle(scene, (int(x), int(y)), radius, grey, -1, kind)

    return draw


results = []
for name, draw in {
    "supervision": annotate,
    "OpenCV": plain(cv2.LINE_8),
    "OpenCV, anti-aliased": plain(cv2.LINE_AA),
}.items():
    first = np.full(shape, 255, dtype=np.uint8)
    draw(first, 0)
    least = float("inf")
    for _ in range(task["Rounds"]):
        start = time.perf_counter()
        for i, scene in enumerate(scenes):
            draw(scene, i)
        least = min(least, time.perf_counter() - start)
    results.append({
        "Name": name,
        "NS": int(least / len(scenes) * 1e9),
        "Coloured": int((first != 255).any(axis=2).sum()),
    })
json.dump(results, sys.stdout)
