// The camera of the whole tree as an aim that does not depend on pixels: the place in the middle, and the number of places across.

/** The aim of a camera {scale, shift} in a picture of some width. */
export function aimOf({ scale, shift }, width) {
  return { middle: (width / 2 - shift) / scale, across: width / scale };
}

/** The camera that shows the same in another width. */
export function cameraOf({ middle, across }, width) {
  const scale = width / across;
  return { scale, shift: width / 2 - middle * scale };
}
