// The interpreter of rules that choose words: game_rules.py in the browser.
//
// The first rule of a part whose facts all match is used. It is an error if none matches.

/** Whether all facts of a condition match. */
export function matchesFacts(when, facts) {
  return Object.entries(when).every(([fact, wanted]) => {
    if (!Object.hasOwn(facts, fact)) throw new RangeError(`there is no fact ${fact}`);
    return facts[fact] === wanted;
  });
}

/** Find the first rule that matches. */
export function findRule(rules, facts) {
  const found = rules.find(({ when }) => matchesFacts(when, facts));
  if (!found) throw new RangeError(`there is no rule for ${JSON.stringify(facts)}`);
  return found;
}

/** Render a part: its words with their slots filled. */
export function renderRule(rules, part, facts, slots) {
  return fillSlots(findRule(rules[part], facts).words, (slot) => {
    if (Object.hasOwn(rules, slot)) return renderRule(rules, slot, facts, slots);
    if (!Object.hasOwn(slots, slot)) throw new RangeError(`nothing fills the slot ${slot}`);
    return slots[slot];
  });
}

/** Fill slots in one pass. Filled-in text is never read as a template. */
export function fillSlots(words, fill) {
  return words.replace(/\{(\w+)\}/g, (_, slot) => fill(slot));
}
