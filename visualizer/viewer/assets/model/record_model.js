// Written by visualizer/viewer/record_model.py from columns.py and theme.py: change it there.

export const STATUS_NAMES = ["open", "terminal", "horizon", "exhausted", "cutoff", "table", "probe"];
export const OPEN = 0;
export const TERMINAL = 1;
export const HORIZON = 2;
export const EXHAUSTED = 3;
export const CUTOFF = 4;
export const TABLE = 5;
export const PROBE = 6;
export const STATUS_BITS = 7;
export const TURN_NAMES = ["min", "max", "chance"];
export const MIN = 0;
export const MAX = 1;
export const CHANCE = 2;
export const TURNS = {"min": {"title": "MIN", "sign": "▼", "colour": "#D55E00", "onDark": "#FF8A3C"}, "max": {"title": "MAX", "sign": "▲", "colour": "#0072B2", "onDark": "#56B4E9"}, "chance": {"title": "Chance", "sign": "●", "colour": "#6F6F78", "onDark": "#A6A6AE"}};
export const TURN_SHIFT = 3;
export const TURN_BITS = 3;
export const BOUND_NAMES = ["exact", "lower", "upper", "open"];
export const BOUND_SHIFT = 5;
export const BOUND_BITS = 3;
export const STANDS_PAT = 128;
export const MAY_STAND_PAT = [0, 3, 4];
export const COLUMN_NAMES = ["move", "depth", "flags", "skipped", "alpha", "beta", "value", "end", "link", "static", "visits", "born", "prior", "proven", "weight"];
export const OPTIONAL_COLUMNS = ["alpha", "beta", "link", "static", "visits", "born", "prior", "proven", "weight"];
