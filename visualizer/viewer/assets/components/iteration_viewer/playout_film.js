// The playout of an iteration as a film on the large board: it plays once when its step is shown.

const PLIES_A_SECOND = 8;
const MAX_SECONDS = 3;

export class PlayoutFilm {
  constructor(view) {
    this.view = view;
    this.t = null; // the step whose film is shown
    this.ply = 0;
  }

  /** The ply to show at a step that simulates; it starts the film when the step is new. */
  plyAt(t, plies) {
    if (this.t !== t) {
      this.t = t;
      const isStill = this.view.playing || matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.ply = isStill ? plies : 0;
      if (!isStill) this.play(plies);
    }
    return Math.min(this.ply, plies);
  }

  play(plies) {
    const { t } = this;
    const speed = Math.max(PLIES_A_SECOND, plies / MAX_SECONDS);
    let began = null;
    const tick = (now) => {
      if (this.t !== t || this.isStopped || !this.view.root.isConnected) return;
      began ??= now;
      const ply = Math.min(Math.floor(((now - began) / 1000) * speed), plies);
      if (ply !== this.ply) {
        this.ply = ply;
        this.view.draw();
      }
      if (ply < plies) requestAnimationFrame(tick);
    };
    this.isStopped = false;
    requestAnimationFrame(tick);
  }

  /** Show one ply. */
  show(ply) {
    this.isStopped = true;
    this.ply = ply;
    this.view.draw();
  }

  reset() {
    this.t = null;
  }
}
