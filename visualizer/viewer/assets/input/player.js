// Time: a step number that goes to and fro, by hand or by itself.

import { icon } from "../draw/icons.js";

/** The one button with a word on it: it does not look like a step forward. */
export function playMarkup(playing) {
  return `${icon(playing ? "pause" : "play")}<span>${playing ? "Pause" : "Play"}</span>`;
}

/** What shows a search over time. Children have `steps`, `root`, `draw()`, and may say what else a step or a pause means. */
export class Player {
  constructor() {
    this.t = 0;
    this.playing = false;
    this.speed = 4; // steps a second
  }

  go(t) {
    if (t === null || t === undefined) return;
    this.set(t);
    this.pause();
  }

  set(t) {
    const next = Math.min(Math.max(t, 0), this.steps.length - 1);
    if (next === this.t) return;
    this.t = next;
    this.remember();
    this.draw();
  }

  toggle() {
    if (this.playing) this.pause();
    else {
      if (this.t >= this.steps.length - 1) this.t = 0;
      this.playOn();
    }
  }

  playOn() {
    this.until = this.nextHalt();
    this.play();
  }

  /** Play to the step `until`. */
  play() {
    this.playing = true;
    this.began = null;
    const tick = (now) => {
      if (!this.playing) return;
      this.began ??= { now, t: this.t };
      const t = Math.min(this.began.t + Math.floor(((now - this.began.now) / 1000) * this.speed), this.until);
      if (t !== this.t) this.set(t);
      if (this.t >= this.until) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.showPlaying();
  }

  pause() {
    this.playing = false;
    this.showPlaying();
    this.announce();
    this.draw();
  }

  showPlaying() {
    const button = this.root.querySelector('[data-action="play"]');
    button.innerHTML = playMarkup(this.playing);
  }

  // ---- for children to say

  /** The step at which playing stops. */
  nextHalt() {
    return this.steps.length - 1;
  }

  /** After every step. */
  remember() {}

  /** After a pause: for those who listen. */
  announce() {}
}
