// Probabilities as people write them: format_probability of chance_outcomes.py in the browser.

const MAX_DENOMINATOR = 1000;
const TOLERANCE = 1e-12;

/** A probability as a fraction if that is short and as exact as a float, else with at most 10 digits. */
export function formatProbability(p) {
  for (let below = 1; below <= MAX_DENOMINATOR; below++) {
    const above = Math.round(p * below);
    if (Math.abs(above / below - p) <= TOLERANCE) return below === 1 ? `${above}` : `${above}/${below}`;
  }
  return String(Number(p.toPrecision(10)));
}
