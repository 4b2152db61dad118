// The interpreter of rules that choose words: game_rules.py in the browser.
//
// Of the rules of a part the first holds whose facts are all as they must be. Nothing is said where none holds: that is an error.

/** Whether all of these facts are as they must be. */
export function holds(when, facts) {
  return Object.entries(when).every(([fact, wanted]) => {
    if (!Object.hasOwn(facts, fact)) throw new RangeError(`there is no fact ${fact}`);
    return facts[fact] === wanted;
  });
}

/** The rule that holds. */
export function chosen(rules, facts) {
  const found = rules.find(({ when }) => holds(when, facts));
  if (!found) throw new RangeError(`there is no rule for ${JSON.stringify(facts)}`);
  return found;
}

/** The words of a part. */
export function said(rules, part, facts, slots) {
  return filled(chosen(rules[part], facts).words, (slot) => {
    if (Object.hasOwn(rules, slot)) return said(rules, slot, facts, slots);
    if (!Object.hasOwn(slots, slot)) throw new RangeError(`nothing fills the slot ${slot}`);
    return slots[slot];
  });
}

/** The words with their slots filled in one pass: what is filled in is never read as a template. */
export function filled(words, fill) {
  return words.replace(/\{(\w+)\}/g, (_, slot) => fill(slot));
}
