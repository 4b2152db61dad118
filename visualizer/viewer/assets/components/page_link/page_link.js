// Copy the address of the page as it is now, or show it as a QR code. It is on every page, so it also closes the menu on a phone.

import { icon } from "../../draw/icons.js";
import { mountedView } from "../../input/mounted_view.js";
import { closeUsedMenu } from "../../input/phone_menu.js";

const SAID_MS = 2500;
const LONG_SAID_MS = 8000; // more to read
const DISMISSING = ["pointerdown", "keydown"];
const HERE_ONLY = "There is no QR code, because this address works only on this computer. To share it with a class, stop Plyscope and start it with plyscope app --host 0.0.0.0. Then open this page by the name or the network address of this computer: others can open that address, and the QR code is here.";
const ONLY_HERE = "It works only on this computer.";
const SEND_SEARCH = "To send a search to somebody, use Download → Interactive page on Step.";
const NO_PROGRAM = "This link opens the page without your program and its result. Send the program itself, or after a run its search: Download → Interactive page.";
const NOT_COPIED = "The browser does not allow copying. The link is selected: copy it with Ctrl+C, or ⌘C on a Mac.";
const TOO_LONG = "This link is too long for a QR code that a phone can read. Copy the link instead.";

export function show({ data, parentElement, setTriggerValue }) {
  const link = mountedView(parentElement, () => new PageLink(parentElement));
  link.update(data.code, setTriggerValue);
}

/** The picture of a link that others can open; else empty. */
export function codeFor({ link, svg }) {
  return isLocal(link) ? "" : svg;
}

/** The note under a code: why there is none, and what it does not contain; else empty. */
export function noteFor({ link, svg }) {
  const reason = isLocal(link) ? HERE_ONLY : !svg && TOO_LONG;
  return [reason, svg && isProgramPage(link) && NO_PROGRAM].filter(Boolean).join(" ");
}

/** What is said after a link was copied. */
export function copiedWords(link) {
  if (isProgramPage(link)) return `Link copied. ${isLocal(link) ? `${ONLY_HERE} ` : ""}${NO_PROGRAM}`;
  return isLocal(link) ? `Link copied. ${ONLY_HERE} ${SEND_SEARCH}` : "Link copied";
}

/** Whether a link leads to the page "Your search": no address holds a program. */
function isProgramPage(link) {
  return new URL(link).pathname.endsWith("/your_search");
}

/** Whether a link leads to a server on the user's own computer. */
function isLocal(link) {
  return /^(localhost$|127\.|\[::1\])/.test(new URL(link).hostname);
}

class PageLink {
  constructor(host) {
    this.root = host.querySelector(".page-link");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.part("copy").innerHTML = `${icon("link")}<span class="label">Copy link</span>`;
    this.part("showCode").innerHTML = `${icon("code")}<span class="label">QR code</span>`;
    this.part("copy").setAttribute("aria-label", "Copy link");
    this.part("showCode").setAttribute("aria-label", "QR code");
    this.part("copy").addEventListener("click", () => this.copy());
    this.part("showCode").addEventListener("click", () => this.request());
    this.part("close").addEventListener("click", () => this.part("dialog").close());
    this.part("dialog").addEventListener("keydown", (event) => event.stopPropagation()); // no keys for the page behind it
  }

  /** `code` comes from viewer/page_link.py: the link that was sent and its picture. */
  update(code, send) {
    this.send = send;
    this.reportTheme();
    if (!code || code.link !== this.requested) return;
    this.requested = null;
    this.open(code.link, codeFor(code), noteFor(code));
  }

  /** Streamlit updates a component when the theme changes, and does not run the page again. */
  reportTheme() {
    const colour = getComputedStyle(this.root).getPropertyValue("--st-background-color");
    if (this.colour && this.colour !== colour) this.send("theme", true);
    this.colour = colour;
  }

  /** Show a link in the dialog, with its picture if there is one. */
  open(link, svg, note) {
    this.part("svg").innerHTML = svg;
    this.part("address").textContent = link;
    this.part("linkNote").textContent = note;
    this.part("dialog").showModal();
  }

  request() {
    this.requested = window.location.href;
    this.send("link", this.requested);
  }

  async copy() {
    const link = window.location.href;
    if (await copyText(link)) {
      this.say(copiedWords(link), isLocal(link) || isProgramPage(link) ? LONG_SAID_MS : SAID_MS);
    } else {
      this.open(link, "", NOT_COPIED);
      window.getSelection().selectAllChildren(this.part("address"));
    }
  }

  /** Show a message for some time, or until the user clicks or presses a key: it covers a part of the page. */
  say(words, milliseconds) {
    this.hush?.();
    this.part("said").textContent = words;
    const hush = () => {
      clearTimeout(timer);
      for (const event of DISMISSING) document.removeEventListener(event, hush, true);
      this.part("said").textContent = "";
    };
    const timer = setTimeout(hush, milliseconds);
    for (const event of DISMISSING) document.addEventListener(event, hush, true);
    this.hush = hush;
  }

  attach() {
    this.forgetMenu = closeUsedMenu();
  }

  destroy() {
    this.hush?.();
    this.forgetMenu();
  }
}

/** Copy a text. Browsers offer the clipboard only on https and on this computer; elsewhere a selected field does it. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
