// Icons as inline SVG paths on a 24 x 24 grid: media symbols are missing from many fonts.

const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M20 12H4M11 5l-7 7 7 7",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5v14M17 5v14",
  forward: "M4 12h16M13 5l7 7-7 7",
  last: "M18 5v14M5 5l9 7-9 7z",
  previousCut: "M13 5l-8 7 8 7M20 7l-6 10M14 7l6 10",
  nextCut: "M11 5l8 7-8 7M4 7l6 10M10 7L4 17",
  over: "M4 15a8 8 0 0 1 15-2M19 6v7h-7M11 20h2",
  out: "M12 20V6M6 11l6-6 6 6M5 22h14",
  leaf: "M12 3v12M7 11l5 5 5-5M5 21h14",
  root: "M12 3l7 12H5zM5 21h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  mark: "M7 4h10v16l-5-4-5 4z",
  copy: "M8 8h12v12H8zM4 16V4h12",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  code: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2",
};
const FILLED = new Set(["first", "play", "last"]);

export function icon(name) {
  const fill = FILLED.has(name) ? "currentColor" : "none";
  return `<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" fill="${fill}" stroke="currentColor" stroke-width="2"
    stroke-linecap="round" stroke-linejoin="round"><path d="${PATHS[name]}"/></svg>`;
}
