// The most valuable cutoffs of a comparison: each with a button that opens its step.

export function show({ data, parentElement, setTriggerValue }) {
  const { summary, cutoffs } = data.list;
  const part = (name) => parentElement.querySelector(`[data-part="${name}"]`);
  part("summary").textContent = summary;
  part("list").replaceChildren(...cutoffs.map((cutoff, index) => createItem(cutoff, index, setTriggerValue)));
}

function createItem([saved, why], index, send) {
  const item = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { textContent: "Open" });
  button.addEventListener("click", () => send("open", index));
  const text = document.createElement("div");
  text.append(Object.assign(document.createElement("b"), { textContent: `${index + 1}. ${saved}` }), why);
  item.append(button, text);
  return item;
}
