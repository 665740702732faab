"""A loop as people write it: OpenCV reads, one onnxruntime session looks at the crop that
MoveNet's published rule makes from the keypoints of the frame before.

    plain_loop.py movie network.onnx size

    pip install opencv-python onnxruntime
"""

import sys

from contestant import race

SURE = 0.2


def prepare():
    import cv2
    import numpy as np
    import onnxruntime

    session = onnxruntime.InferenceSession(sys.argv[2], providers=["CPUExecutionProvider"])
    size = int(sys.argv[3])
    crop = None  # centre x, centre y, side in pixels

    def look(frame):
        nonlocal crop
        height, width = frame.shape[:2]
        x, y, side = crop or (width / 2, height / 2, max(width, height))
        k = size / side
        part = cv2.warpAffine(frame, np.array([[k, 0, size / 2 - k * x], [0, k, size / 2 - k * y]]), (size, size))
        part = cv2.cvtColor(part, cv2.COLOR_BGR2RGB)
        out = session.run(None, {"input": part[None]})[0][0, 0]
        points = np.stack([x + (out[:, 1] - 0.5) * side, y + (out[:, 0] - 0.5) * side], axis=1)
        crop = following(points, out[:, 2] > SURE)
        return points, out[:, 2]

    def following(points, seen):
        if not ((seen[5] or seen[6]) and (seen[11] or seen[12])):
            return None
        centre = points[11:13].mean(axis=0)
        torso = np.abs(points[[5, 6, 11, 12]] - centre).max()
        body = np.abs(points[seen] - centre).max()
        return float(centre[0]), float(centre[1]), 2 * float(max(1.9 * torso, 1.2 * body))

    def reset():
        nonlocal crop
        crop = None

    def keypoints(found, _):
        points, scores = found
        if not (scores > SURE).any():
            return []
        return [[float(x), float(y), float(score)] for (x, y), score in zip(points, scores)]

    return look, reset, keypoints


race(prepare)
