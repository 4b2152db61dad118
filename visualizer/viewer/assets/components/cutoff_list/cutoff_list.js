// The most valuable cutoffs of a comparison: each with a button that opens its step.

export function show({ data, parentElement, setTriggerValue }) {
  const { together, told } = data.cutoffs;
  const part = (name) => parentElement.querySelector(`[data-part="${name}"]`);
  part("together").textContent = together;
  part("list").replaceChildren(...told.map((words, place) => item(words, place, setTriggerValue)));
  parentElement.view ??= { destroy() {} };
}

function item([saved, why], place, send) {
  const made = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { textContent: "Open" });
  button.addEventListener("click", () => send("open", place));
  const words = document.createElement("div");
  words.append(Object.assign(document.createElement("b"), { textContent: `${place + 1}. ${saved}` }), why);
  made.append(button, words);
  return made;
}
