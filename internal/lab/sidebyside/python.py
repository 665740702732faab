"""Times the work of the pure packages in NumPy, SciPy and dtaidistance; main.go runs it.

    python3 -m venv venv && venv/bin/pip install numpy scipy dtaidistance
"""

import json
import sys
import time

import numpy as np
from scipy import ndimage, signal
from scipy.interpolate import PchipInterpolator

FRAMES = int(sys.argv[1])
rounds = int(sys.argv[2])
times = np.arange(FRAMES) / 30
phase = times[:, None] * 2 + np.arange(17)
P = np.stack([100 * np.sin(phase) + 300, 80 * np.cos(1.3 * phase) + 240], axis=-1)
Q = P[::-1] * 1.1


def best(name, work):
    work()
    least = float("inf")
    first, done = time.perf_counter(), 0
    while done < rounds or time.perf_counter() - first < 1 / 3:
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
        done += 1
    print(name, int(least * 1e9))


def turn(a, b, c):
    u, v = a - b, c - b
    return np.degrees(np.arctan2(u[:, 1] * v[:, 0] - u[:, 0] * v[:, 1], (u * v).sum(axis=1)))


def rules(p):
    return [
        np.abs(turn(p[:, 11], p[:, 13], p[:, 15])),
        np.abs(turn(p[:, 12], p[:, 14], p[:, 16])),
        turn(p[:, 5], p[:, 7], p[:, 9]) % 360,
        np.linalg.norm(p[:, 9] - p[:, 10], axis=1),
        p[:, 0, 1] - p[:, 15, 1],
        p[:, 0],
    ]


def results():
    """What a Result of analyze.Run has: the values, which of them there are, and their share."""
    out = []
    for values in rules(P):
        present = ~np.isnan(values)
        if present.ndim == 2:
            present = present.all(axis=1)
        out.append((values, present, present.mean()))
    return out


def statistics():
    for values in rules(P):
        missing = np.isnan(values)
        missing.mean()
        np.nanmax(values, axis=0)
        np.nanmedian(values, axis=0)


PARTS = (
    "nose leftEye rightEye leftEar rightEar leftShoulder rightShoulder leftElbow rightElbow "
    "leftWrist rightWrist leftHip rightHip leftKnee rightKnee leftAnkle rightAnkle"
).split()
document = json.dumps({"keypoint": [dict(zip(PARTS, frame.round(2).tolist())) for frame in P]})


def from_json():
    frames = json.loads(document)["keypoint"]
    absent = [np.nan, np.nan]
    p = np.array([[frame.get(part, absent) for part in PARTS] for frame in frames])
    results = []
    for values in rules(p):
        missing = np.isnan(values).reshape(FRAMES, -1).any(axis=1)
        results.append([None if m else v for m, v in zip(missing, values.round(4).tolist())])
    return json.dumps(results)


def diff(p, q):
    def centred(x):
        return x - ((x[:, 11] + x[:, 12]) / 2)[:, None]

    def torso(x):
        return np.median(np.linalg.norm((x[:, 5] + x[:, 6] - x[:, 11] - x[:, 12]) / 2, axis=1))

    u = np.arange(FRAMES) * (FRAMES - 1) / (FRAMES - 1)
    k = np.minimum(u.astype(int), FRAMES - 2)
    w = (u - k)[:, None, None]
    q = q[k] * (1 - w) + q[k + 1] * w
    d = centred(q) / torso(q) - centred(p) / torso(p)
    distance = np.minimum(1, np.hypot(d[..., 0], d[..., 1]) / 2.5)
    return distance, np.degrees(np.arctan2(d[..., 0], -d[..., 1])) % 360, 1 - distance.mean(axis=0)


flat = np.ascontiguousarray(P.reshape(FRAMES, 34))
other = np.ascontiguousarray(Q.reshape(FRAMES, 34))
known = np.arange(FRAMES) % 10 != 5
b, a = signal.butter(4, 6, fs=30)
best("rules", results)
best("rules-values", lambda: rules(P))
best("rules+statistics", statistics)
best("rules-json", from_json)
best("diff", lambda: diff(P, Q))
best("butterworth", lambda: signal.filtfilt(b, a, flat, axis=0))
best("savgol", lambda: signal.savgol_filter(flat, 9, 3, axis=0))
best("median", lambda: ndimage.median_filter(flat, (5, 1)))
best("pchip", lambda: PchipInterpolator(times[known], flat[known])(times))
try:
    from dtaidistance import dtw, dtw_ndim

    rounds = min(rounds, 3)
    best("dtw", lambda: dtw.best_path(dtw_ndim.warping_paths_fast(flat, other)[1]))
    best("dtw-window", lambda: dtw.best_path(dtw_ndim.warping_paths_fast(flat, other, window=31)[1]))
except ImportError:
    pass
