"""Reads the files in a folder with programs of others and prints what they found as JSON.

Keypoints are a list of frames, objects from the reader's own name of a part to its numbers; absent
parts are left out.
"""
import ast
import contextlib
import enum
import importlib.util
import json
import math
import os
import sys
import zipfile

folder = sys.argv[1]


def path(name):
    return os.path.join(folder, name)


def present(numbers):
    return not any(math.isnan(v) for v in numbers)


def opensim_trc(name):
    import opensim

    table = opensim.TimeSeriesTableVec3(path(name))
    frames = []
    for i in range(table.getNumRows()):
        row = table.getRowAtIndex(i)
        points = {label: [row.getElt(0, k).get(j) for j in range(3)] for k, label in enumerate(table.getColumnLabels())}
        frames.append({label: p for label, p in points.items() if present(p)})
    meta = {key: table.getTableMetaDataString(key) for key in ("DataRate", "Units")}
    return {"times": list(table.getIndependentColumn()), "frames": frames, **meta}


def trc_data_reader(name):
    import trc

    data = trc.TRCData()
    data.load(path(name))
    frames = [{m: data[m][i] for m in data["Markers"] if present(data[m][i])} for i in range(data["NumFrames"])]
    return {"times": data["Time"], "frames": frames, "DataRate": str(data["DataRate"]), "Units": data["Units"]}


def ezc3d_c3d(name):
    import ezc3d

    file = ezc3d.c3d(path(name))
    point = file["parameters"]["POINT"]
    data, rate = file["data"]["points"], file["header"]["points"]["frame_rate"]
    frames = []
    for i in range(data.shape[2]):
        points = {label: [float(v) for v in data[:3, k, i]] for k, label in enumerate(point["LABELS"]["value"])}
        frames.append({label: p for label, p in points.items() if present(p)})
    times = [round(i / rate, 6) for i in range(data.shape[2])]
    return {"times": times, "frames": frames, "DataRate": str(float(point["RATE"]["value"][0])), "Units": point["UNITS"]["value"][0]}


def c3d_c3d(name):
    import c3d

    with open(path(name), "rb") as file:
        reader = c3d.Reader(file)
        labels = [label.strip() for label in reader.point_labels]
        frames, residuals = [], []
        for _, points, _ in reader.read_frames():
            there = {label: [float(v) for v in p] for label, p in zip(labels, points) if p[3] >= 0}
            frames.append({label: p[:3] for label, p in there.items()})
            residuals.append({label: p[3] for label, p in there.items()})
        units = reader.get("POINT:UNITS").string_value
        times = [round(i / float(reader.point_rate), 6) for i in range(len(frames))]
    return {"times": times, "frames": frames, "residuals": residuals, "DataRate": str(float(reader.point_rate)), "Units": units}


def bvh_bvh(name):
    import bvh
    import numpy as np

    def turn(angle, axis):
        sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        return np.roll(np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]), (axis, axis), (0, 1))

    with open(path(name)) as file:
        motion = bvh.Bvh(file.read())
    frames = []
    for i in range(motion.nframes):
        places, turns = {}, {}
        for joint in motion.get_joints_names():
            channels = dict(zip(motion.joint_channels(joint), motion.frame_joint_channels(i, joint, motion.joint_channels(joint))))
            parent, own = motion.joint_parent(joint), np.eye(3)
            for channel, value in channels.items():
                if channel.endswith("rotation"):
                    own = own @ turn(value, "XYZ".index(channel[0]))
            if parent is None:
                places[joint], turns[joint] = np.array([channels[axis + "position"] for axis in "XYZ"]), own
            else:
                places[joint] = places[parent.name] + turns[parent.name] @ np.array(motion.joint_offset(joint))
                turns[joint] = turns[parent.name] @ own
        frames.append({joint: list(place) for joint, place in places.items()})
    return {"frames": frames, "DataRate": str(round(1 / motion.frame_time, 3))}


def opensim_mot(name):
    import opensim

    table = opensim.TimeSeriesTable(path(name))
    columns = {}
    for label in table.getColumnLabels():
        column = table.getDependentColumn(label)
        values = [column[i] for i in range(table.getNumRows())]
        columns[label] = [None if math.isnan(v) else v for v in values]
    return {"times": list(table.getIndependentColumn()), "columns": columns, "inDegrees": table.getTableMetaDataString("inDegrees")}


def pycocotools(name):
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    truth = COCO(path(name))
    names = truth.loadCats(truth.getCatIds(catNms=["person"]))[0]["keypoints"]
    frames, results = [], []
    for image in truth.getImgIds():
        frame = {}
        for a in truth.loadAnns(truth.getAnnIds(imgIds=[image])):
            points = a["keypoints"]
            frame = {n: points[3 * i:3 * i + 2] for i, n in enumerate(names) if points[3 * i + 2] > 0}
            results.append({"image_id": image, "category_id": a["category_id"], "keypoints": points, "score": 1})
        frames.append(frame)
    against_itself = COCOeval(truth, truth.loadRes(results), "keypoints")
    against_itself.evaluate()
    against_itself.accumulate()
    against_itself.summarize()
    return {"frames": frames, "AP": against_itself.stats[0]}


def pose_format(name):
    from pose_format.utils.openpose import load_openpose_directory

    unpacked = path("unpacked")
    zipfile.ZipFile(path(name)).extractall(unpacked)
    pose = load_openpose_directory(unpacked, width=640, height=480)
    names = pose.header.components[0].points
    frames = []
    for points, confidence in zip(pose.body.data[:, 0], pose.body.confidence[:, 0]):
        frames.append({n: [float(v) for v in points[i]] + [float(confidence[i])] for i, n in enumerate(names) if confidence[i] > 0})
    return {"frames": frames}


def mediapipe(name):
    # Not "import mediapipe", which needs OpenCV, JAX and more: the messages and the names of the landmarks do.
    from google.protobuf import json_format

    home = os.path.dirname(importlib.util.find_spec("mediapipe").origin)
    spec = importlib.util.spec_from_file_location("landmark_pb2", home + "/framework/formats/landmark_pb2.py")
    messages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(messages)
    source = ast.parse(open(home + "/python/solutions/pose.py").read())
    scope = {"enum": enum}
    exec(compile(ast.Module([n for n in source.body if getattr(n, "name", "") == "PoseLandmark"], []), "pose.py", "exec"), scope)
    frames = []
    for landmarks in json.load(open(path(name))):
        message = json_format.ParseDict({"landmark": landmarks}, messages.NormalizedLandmarkList())
        frames.append({
            scope["PoseLandmark"](i).name: [l.x * 640, l.y * 480, l.visibility] for i, l in enumerate(message.landmark) if l.visibility > 0
        })
    return {"frames": frames}


with contextlib.redirect_stdout(sys.stderr):
    found = {
        "OpenSim, TRC": opensim_trc("pixels.trc"),
        "OpenSim, TRC in metres": opensim_trc("metres.trc"),
        "OpenSim, TRC in space": opensim_trc("space.trc"),
        "ezc3d, C3D in metres": ezc3d_c3d("metres.c3d"),
        "ezc3d, C3D in space": ezc3d_c3d("space.c3d"),
        "c3d, C3D in space": c3d_c3d("space.c3d"),
        "bvh, BVH": bvh_bvh("space.bvh"),
        "trc-data-reader, TRC in metres": trc_data_reader("metres.trc"),
        "OpenSim, MOT": opensim_mot("angles.mot"),
        "pycocotools, COCO": pycocotools("coco.json"),
        "pose-format, OpenPose": pose_format("openpose.zip"),
        "MediaPipe": mediapipe("mediapipe.json"),
    }
print(json.dumps(found))
