"""What the contestants share: the loop over the frames of a movie, and the answers.

The first argument of each is a movie to begin with. Standard input has one order a line:

    go PATH            go through a movie and print the number of frames, the nanoseconds, and
                       those of all cores
    draw PATH TO       the same, and write the movie with what was found drawn onto it
    movie PATH         print the keypoints of every frame of a movie
    picture PATH       print those of a picture

Keypoints are a JSON array with an element a frame: [] for nobody, else 17 times [x, y, score] in
the order of COCO, x and y in pixels."""

import json
import os
import sys
import time
from itertools import islice


def race(prepare):
    """prepare returns three functions: look(frame), reset(), which forgets the movie, and
    keypoints(what look returned, frame), which makes the element of the frame; None if a
    contestant's accuracy is not measured. A fourth one, draw(frame, what look returned), is that of
    contestants that draw. Prints "ready", or "not ready" and why; then obeys the
    orders."""
    # Libraries print to standard output too: the answers go through a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        look, reset, keypoints, *draws = prepare()
        for frame in islice(frames(sys.argv[1]), 10):
            look(frame)
        reset()
    except Exception as e:  # whatever it lacks: a package, a network, memory
        print("not ready:", repr(e), file=answers)
        return
    print("ready" + (", looks" if keypoints else "") + (", draws" if draws else ""), file=answers)
    for line in sys.stdin:
        order, _, path = line.rstrip("\n").partition(" ")
        if order in ("go", "draw"):
            path, _, to = path.partition("\t")
            start, cpu, n = time.perf_counter_ns(), time.process_time_ns(), 0
            writer = writes(path, to) if to else None
            for frame in frames(path):
                found = look(frame)
                if writer:
                    draws[0](frame, found)
                    writer.write(frame)
                n += 1
            if writer:
                writer.release()
            ns, cpu = time.perf_counter_ns() - start, time.process_time_ns() - cpu
            print(n, ns, cpu, file=answers)
        else:
            seen = frames(path) if order == "movie" else [picture(path)]
            print(json.dumps([keypoints(look(frame), frame) for frame in seen]), file=answers)
        reset()


def frames(path):
    """Yields the frames of a movie as OpenCV gives them: BGR."""
    import cv2

    capture = cv2.VideoCapture(path)
    while True:
        more, frame = capture.read()
        if not more:
            capture.release()
            return
        yield frame


def writes(path, to):
    """Returns what writes a movie like another one as OpenCV's wheels can: MPEG-4, part 2."""
    import cv2

    capture = cv2.VideoCapture(path)
    size = (int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
    return cv2.VideoWriter(to, cv2.VideoWriter_fourcc(*"mp4v"), capture.get(cv2.CAP_PROP_FPS), size)


def picture(path):
    import cv2

    return cv2.imread(path)
