"""Writes the fixtures of package score: labels and results as COCO files, and what
pycocotools makes of them.

    python3 -m venv /tmp/coco && /tmp/coco/bin/pip install numpy==2.4.6 pycocotools==2.0.11
    /tmp/coco/bin/python make_fixtures.py

Everything is drawn by chance from a fixed seed; no picture and no data set is involved.
"""

import contextlib
import io
import json
import pathlib

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

HERE = pathlib.Path(__file__).parent
NAMES = ("nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow right_elbow "
         "left_wrist right_wrist left_hip right_hip left_knee right_knee left_ankle right_ankle").split()
# A standing body in a box of 1 by 1.
BODY = np.array([[.5, .06], [.54, .04], [.46, .04], [.58, .06], [.42, .06], [.7, .2], [.3, .2], [.85, .36], [.15, .36],
                 [.95, .5], [.05, .5], [.62, .52], [.38, .52], [.64, .75], [.36, .75], [.66, .97], [.34, .97]])
rng = np.random.default_rng(20240611)


def body(box, noise):
    x, y, w, h = box
    pts = BODY * [w, h] + [x, y] + rng.normal(0, noise, (17, 2)) * np.sqrt(w * h)
    return np.round(np.maximum(pts, 1), 2)


def person(image, kind):
    """kind: plain, crowd (several people in one label) or bare (no labelled part)."""
    h = float(rng.choice([60, 90, 150, 260, 400]))
    w = round(h * rng.uniform(.3, .6), 2)
    box = [round(rng.uniform(5, 600 - w), 2), round(rng.uniform(5, 470 - h), 2), w, h]
    v = rng.choice([0, 1, 2], 17, p=[.2, .2, .6])
    if kind != "plain":
        v[:] = 0
    if kind == "plain" and not v.any():
        v[0] = 2
    pts = np.where(v[:, None] > 0, body(box, .01), 0)
    flat = [n for (x, y), s in zip(pts.tolist(), v.tolist()) for n in (x, y, s)]
    return {"image_id": image, "category_id": 1, "keypoints": flat, "num_keypoints": int((v > 0).sum()),
            "bbox": box, "area": round(w * h * rng.uniform(.4, .7), 2), "iscrowd": int(kind == "crowd")}


def found(image, box, noise, score):
    pts = body(box, noise)
    return {"image_id": image, "category_id": 1, "score": score,
            "keypoints": [n for x, y in pts.tolist() for n in (x, y, 1)]}


def make():
    images, annotations, results = [], [], []
    for image in range(1, 25):
        images.append({"id": image, "file_name": f"{image:03}.jpg", "width": 640, "height": 480})
        people = []
        if image % 6:  # every sixth shows nobody
            people = [person(image, "plain") for _ in range(rng.integers(1, 4))]
            if image % 4 == 1:
                people.append(person(image, "crowd"))
            if image % 5 == 2:
                people.insert(0, person(image, "bare"))
        if image == 3:
            people[0]["area"] = 96.0**2  # both medium and large
        for p in people:
            p["id"] = len(annotations) + 1
            annotations.append(p)
            for _ in range(rng.integers(0, 4)):
                # Scores of one decimal, so that many are equal.
                results.append(found(image, p["bbox"], rng.choice([.004, .02, .05, .1]), round(float(rng.random()), 1)))
        for _ in range(30 if image == 7 else rng.integers(0, 3)):  # more than the 20 that count
            h = rng.uniform(20, 300)
            box = [rng.uniform(5, 300), rng.uniform(5, 150), h / 2, h]
            results.append(found(image, box, .02, round(float(rng.random()), 1)))
    category = {"id": 1, "name": "person", "supercategory": "person", "keypoints": NAMES, "skeleton": []}
    return {"images": images, "annotations": annotations, "categories": [category]}, results


def main():
    truth, results = make()
    for name, value in (("coco_truth.json", truth), ("coco_found.json", results)):
        (HERE / name).write_text(json.dumps(value, separators=(",", ":")) + "\n")
    with contextlib.redirect_stdout(io.StringIO()):
        gt = COCO(str(HERE / "coco_truth.json"))
        e = COCOeval(gt, gt.loadRes(str(HERE / "coco_found.json")), "keypoints")
        e.evaluate()
        e.accumulate()
        e.summarize()
    # OKS by picture: a row for each of the best 20 results by score, a column a label.
    oks = {str(i): np.asarray(m).tolist() for (i, _), m in e.ious.items() if len(m)}
    names = "AP AP50 AP75 APMedium APLarge AR AR50 AR75 ARMedium ARLarge".split()
    want = {"stats": dict(zip(names, e.stats.tolist())), "oks": oks}
    (HERE / "coco_want.json").write_text(json.dumps(want, separators=(",", ":")) + "\n")
    print(want["stats"])


if __name__ == "__main__":
    main()
