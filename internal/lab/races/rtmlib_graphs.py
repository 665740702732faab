"""Writes YOLOX-m and RTMPose-m with random weights: the same layers and therefore the same
work as the published networks, for machines that do not have those. The detector ends
in one box, whatever it sees, in place of its suppression of doubles, so that there is
one person to look at in each frame."""

import os
import tempfile

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save


class Graph:
    """A chain of layers; each method adds one and returns the name of its output."""

    def __init__(self, seed):
        self.nodes, self.weights, self.random = [], [], np.random.default_rng(seed)
        self.parameters = 0

    def add(self, kind, *inputs, outputs=1, **attributes):
        names = [f"t{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, values, kind=np.float32):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def weight(self, *shape):
        # 2.8: what SiLU takes from the variance, so that values neither fade nor grow.
        fan = int(np.prod(shape[1:]))
        self.parameters += int(np.prod(shape))
        return self.constant(self.random.standard_normal(shape) * np.sqrt(2.8 / fan))

    def plain(self, x, cin, cout, k=1, stride=1, groups=1):
        w, b = self.weight(cout, cin // groups, k, k), self.constant(np.zeros(cout))
        return self.add("Conv", x, w, b, kernel_shape=[k, k], strides=[stride] * 2, pads=[k // 2] * 4, group=groups)

    def silu(self, x):
        return self.add("Mul", x, self.add("Sigmoid", x))

    def conv(self, *args, **kw):
        return self.silu(self.plain(*args, **kw))

    def concat(self, *xs):
        return self.add("Concat", *xs, axis=1)

    def dense(self, x, cin, cout):
        return self.add("MatMul", x, self.constant(self.random.standard_normal((cin, cout)) / np.sqrt(cin)))

    def csp(self, x, cin, cout, n, identity=True, attend=False):
        """A cross-stage partial layer, of CSPDarknet or of CSPNeXt."""
        half = cout // 2
        main, short = self.conv(x, cin, half), self.conv(x, cin, half)
        for _ in range(n):
            if attend:
                y = self.conv(main, half, half, 3)
                y = self.conv(y, half, half, 5, groups=half)
                y = self.conv(y, half, half)
            else:
                y = self.conv(main, half, half)
                y = self.conv(y, half, half, 3)
            main = self.add("Add", main, y) if identity else y
        both = self.concat(main, short)
        if attend:
            gate = self.plain(self.add("GlobalAveragePool", both), cout, cout)
            both = self.add("Mul", both, self.add("HardSigmoid", gate, alpha=1 / 6, beta=0.5))
        return self.conv(both, cout, cout)

    def pyramid(self, x, c):
        x = self.conv(x, c, c // 2)
        pools = [self.add("MaxPool", x, kernel_shape=[k, k], strides=[1, 1], pads=[k // 2] * 4) for k in (5, 9, 13)]
        return self.conv(self.concat(x, *pools), 2 * c, c)

    def backbone(self, x, blocks, attend):
        levels = []
        for i, (cin, cout, n) in enumerate([(48, 96, blocks[0]), (96, 192, blocks[1]), (192, 384, blocks[2]), (384, 768, blocks[3])]):
            x = self.conv(x, cin, cout, 3, 2)
            if i == 3:
                x = self.pyramid(x, cout)
            x = self.csp(x, cout, cout, n, identity=i < 3, attend=attend)
            levels.append(x)
        return levels[1:]

    def write(self, path, shape, outputs):
        inputs = [helper.make_tensor_value_info("input", TensorProto.FLOAT, shape)]
        outs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in outputs]
        model = helper.make_model(helper.make_graph(self.nodes, "g", inputs, outs, self.weights), opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        save(model, path)


def yolox(path):
    g = Graph(1)
    axes = g.constant([2, 3], np.int64)
    ends, steps = g.constant([1 << 30] * 2, np.int64), g.constant([2, 2], np.int64)
    corners = [g.add("Slice", "input", g.constant([y, x], np.int64), ends, axes, steps) for x in (0, 1) for y in (0, 1)]
    c3, c4, c5 = g.backbone(g.conv(g.concat(*corners), 12, 48, 3), (2, 6, 6, 2), attend=False)
    scales = g.constant([1, 1, 2, 2])

    def twice(x):
        return g.add("Resize", x, "", scales, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")

    r5 = g.conv(c5, 768, 384)
    p4 = g.csp(g.concat(twice(r5), c4), 768, 384, 2, identity=False)
    r4 = g.conv(p4, 384, 192)
    p3 = g.csp(g.concat(twice(r4), c3), 384, 192, 2, identity=False)
    p4 = g.csp(g.concat(g.conv(p3, 192, 192, 3, 2), r4), 384, 384, 2, identity=False)
    p5 = g.csp(g.concat(g.conv(p4, 384, 384, 3, 2), r5), 768, 768, 2, identity=False)
    flat, rows = g.constant([1, 6, -1], np.int64), []
    for x, c in ((p3, 192), (p4, 384), (p5, 768)):
        x = g.conv(x, c, 192)
        classes = g.conv(g.conv(x, 192, 192, 3), 192, 192, 3)
        boxes = g.conv(g.conv(x, 192, 192, 3), 192, 192, 3)
        row = g.concat(g.plain(boxes, 192, 4), g.add("Sigmoid", g.plain(boxes, 192, 1)), g.add("Sigmoid", g.plain(classes, 192, 1)))
        rows.append(g.add("Reshape", row, flat))
    mean = g.add("ReduceMean", g.add("Concat", *rows, axis=2), axes=[1, 2], keepdims=1)
    nothing = g.add("Mul", mean, g.constant(0))
    g.nodes.append(helper.make_node("Add", [nothing, g.constant([[[220, 30, 420, 330, 0.9]]])], ["dets"]))
    g.write(path, [1, 3, 640, 640], [("dets", [1, 1, 5])])
    return g.parameters


def rtmpose(path):
    g = Graph(2)
    x = g.conv("input", 3, 24, 3, 2)
    x = g.conv(g.conv(x, 24, 24, 3), 24, 48, 3)
    x = g.backbone(x, (2, 4, 4, 2), attend=True)[-1]
    x = g.add("Reshape", g.plain(x, 768, 17, 7), g.constant([1, 17, 48], np.int64))

    def scale(x, n):
        norm = g.add("ReduceL2", x, axes=[2], keepdims=1)
        return g.add("Div", x, g.add("Max", g.add("Mul", norm, g.constant(n**-0.5)), g.constant(1e-5)))

    x = g.dense(scale(x, 48), 48, 256)
    # The gated attention unit.
    uv = g.silu(g.dense(scale(x, 256), 256, 1152))
    u, v, base = g.add("Split", uv, g.constant([512, 512, 128], np.int64), outputs=3, axis=2)
    q, k = (g.add("Add", g.add("Mul", base, g.constant(g.random.standard_normal(128))), g.constant(np.zeros(128))) for _ in range(2))
    qk = g.add("MatMul", q, g.add("Transpose", k, perm=[0, 2, 1]))
    kernel = g.add("Relu", g.add("Div", qk, g.constant(128**0.5)))
    kernel = g.add("Mul", kernel, kernel)
    y = g.dense(g.add("Mul", u, g.add("MatMul", kernel, v)), 512, 256)
    x = g.add("Add", x, y)
    for name, n in (("simcc_x", 384), ("simcc_y", 512)):
        w = g.constant(g.random.standard_normal((256, n)) / 16)
        g.nodes.append(helper.make_node("MatMul", [x, w], [name]))
    g.write(path, [1, 3, 256, 192], [("simcc_x", [1, 17, 384]), ("simcc_y", [1, 17, 512])])
    return g.parameters


def write():
    """Writes both into the folder of this script and returns their paths."""
    folder = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(folder, name) for name in ("yolox-m.onnx", "rtmpose-m.onnx")]
    for path, make in zip(paths, (yolox, rtmpose)):
        if not os.path.exists(path):
            make(path)
    return paths


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    print("yolox-m", yolox(os.path.join(folder, "a")), "rtmpose-m", rtmpose(os.path.join(folder, "b")), "weights in the convolutions")
