"""rtmlib's Body in its mode "balanced": YOLOX-m and RTMPose-m on onnxruntime.

    rtmlib_body.py movie how-often-to-detect [detector.onnx pose.onnx]

Without files of networks it runs the same architectures with random weights.

    pip install rtmlib==0.0.16 onnxruntime onnx
"""

import sys
from functools import partial

from contestant import race


def prepare():
    from rtmlib import Body, PoseTracker

    if len(sys.argv) > 3:
        det, pose = sys.argv[3:5]
    else:
        from rtmlib_graphs import write

        det, pose = write()
    body = partial(Body, det=det, det_input_size=(640, 640), pose=pose, pose_input_size=(192, 256))
    tracker = PoseTracker(body, det_frequency=int(sys.argv[2]), mode="balanced")
    return tracker, tracker.reset, None


race(prepare)
