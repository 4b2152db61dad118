// Where keys go: to the viewer when it shows another search, but never away from who is typing.

const BUSY = "input, textarea, select, [contenteditable], [role=dialog], [data-testid=stPopoverBody]";
const LOOKS = 8; // a quarter of a second apart: a form that closes gives the focus back to its button, some time later
const LEADS = ["keydown", "pointerdown"]; // with these the user takes the lead

/** Give an element the focus, and again if what is closing takes it. Ends by itself, or by the function that is returned. */
export function takeKeys(element) {
  let looks = 0;
  let waiting;
  const look = () => {
    const here = element.getRootNode().activeElement === element;
    if (!here && !document.activeElement?.closest(BUSY)) element.focus({ preventScroll: true });
    if (++looks < LOOKS) waiting = setTimeout(look, 250);
    else end();
  };
  const end = () => {
    clearTimeout(waiting);
    for (const name of LEADS) document.removeEventListener(name, end, true);
  };
  for (const name of LEADS) document.addEventListener(name, end, true);
  look();
  return end;
}
