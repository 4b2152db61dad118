// Playback: the current step, moved by hand or by a timer.

import { icon } from "../draw/icons.js";

/** The markup of the play button. It has a word, so that it does not look like a step forward. */
export function playMarkup(playing) {
  return `${icon(playing ? "pause" : "play")}<span>${playing ? "Pause" : "Play"}</span>`;
}

/** Base of the views that play a search. Subclasses have `steps`, `root` and `draw()`, and may override the hooks below. */
export class Player {
  constructor() {
    this.t = 0;
    this.playing = false;
    this.speed = 4; // steps a second
  }

  go(t) {
    if (t === null || t === undefined) return;
    this.setStep(t);
    this.pause();
  }

  setStep(t) {
    const next = Math.min(Math.max(t, 0), this.steps.length - 1);
    if (next === this.t) return;
    this.t = next;
    this.saveState();
    this.draw();
  }

  /** Go to the next or previous step of a kind. */
  goToKind(direction, kind) {
    this.go(this.steps[direction](kind, this.t));
  }

  toggle() {
    if (this.playing) this.pause();
    else {
      if (this.t >= this.steps.length - 1) this.t = 0;
      this.continuePlaying();
    }
  }

  continuePlaying() {
    this.until = this.nextPause();
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
      if (t !== this.t) this.setStep(t);
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

  // ---- hooks for subclasses

  /** The step at which playing stops. */
  nextPause() {
    return this.steps.length - 1;
  }

  /** Called after every change. */
  saveState() {}

  /** Called after a pause, to tell screen readers. */
  announce() {}
}
