package inference

// Orient is orient, for tests of every kind of picture.
var Orient = orient
