// The viewer of a search in iterations: holds the current step, the selection and the view, and redraws everything that depends on them.

import { readTheme } from "../../draw/formatting.js";
import { BookmarksTab } from "../../input/bookmarks.js";
import { pressKey, showKeys } from "../../input/controls.js";
import { ITERATION_KEYS } from "../../input/iteration_keys.js";
import { Lecture } from "../../input/lecture.js";
import { Player } from "../../input/player.js";
import { IterationBlocks, stepName, stepOfPhase } from "../../model/iteration_blocks.js";
import { ITERATION_ACTIONS, listenToIterations } from "./iteration_actions.js";
import { IterationLoader } from "./iteration_loader.js";
import { paintIteration, shownWords } from "./iteration_painting.js";
import { IterationPredictions } from "./iteration_predict.js";
import { IterationState } from "./iteration_state.js";
import { PlayoutFilm } from "./playout_film.js";

const MAX_DENSITY = 16; // times as many leaves as can be read
const MIN_DENSITY = 1 / 8;

export class IterationViewer extends Player {
  constructor(element) {
    super();
    this.root = element.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.selected = -1; // a row of the tree
    this.viewName = "whole";
    this.tab = "numbers";
    this.density = 1;
    this.bookmarks = [];
    this.bookmarksTab = new BookmarksTab(this);
    this.lecture = new Lecture(this);
    this.film = new PlayoutFilm(this);
    this.predictions = new IterationPredictions(this);
    this.stepNames = new Map(); // of bookmarks
    this.loader = new IterationLoader(this);
    this.state = new IterationState(this);
    listenToIterations(this);
    showKeys(this, ITERATION_KEYS);
    this.resizing = new ResizeObserver(() => this.draw());
  }

  attach() {
    this.resizing.observe(this.part("stage"));
    this.onResize = () => this.draw();
    window.addEventListener("resize", this.onResize);
    document.fonts.addEventListener("loadingdone", this.onResize); // letters of another width
  }

  destroy() {
    this.playing = false;
    this.resizing.disconnect();
    window.removeEventListener("resize", this.onResize);
    document.fonts.removeEventListener("loadingdone", this.onResize);
    this.state.cancel();
    this.lecture.leave();
  }

  update(payload, settings, host) {
    const isNew = settings.name !== this.settings?.name;
    Object.assign(this, { settings, host });
    this.root.classList.toggle("in-lesson", Boolean(settings.inLesson));
    if (isNew) this.open(payload);
    this.updateTheme();
  }

  /** Read the colours of the page again. */
  updateTheme() {
    this.theme = readTheme(this.root);
    this.draw();
  }

  open(payload) {
    this.steps = new IterationBlocks(JSON.parse(new TextDecoder().decode(payload)));
    this.tree = this.steps; // there is something to show
    this.playing = false;
    this.loader.drop();
    this.selected = -1;
    this.density = 1;
    this.film.reset();
    this.stepNames.clear();
    this.t = this.steps.meta.opening;
    this.showLegend(!this.root.matches(".to-760"));
    this.state.open(this.host.readState(this.steps.meta.urlParams));
    this.host.takeFocus(this.root);
    if (this.predictions.on) this.predictions.setEnabled(true); // the questions of this search
    this.nameBookmarks();
  }

  /** Where the current step is: see IterationBlocks. */
  get here() {
    return this.steps.at(this.t);
  }

  // ---- steps

  /** Go to a step. If it is not loaded, the old step stays until it is there. */
  setStep(t) {
    const next = Math.min(Math.max(t, 0), this.steps.length - 1);
    if (this.steps.isLoaded(next)) {
      this.loader.drop();
      super.setStep(next);
      if (this.playing && this.predictions.on) this.until = this.predictions.nextPause(this.t);
      this.loader.loadAhead(this.here.block.first + this.steps.meta.blockIterations);
    } else if (this.loader.hasServer) {
      this.began = null; // playback goes on when the step is there
      this.loader.load({ step: next }, () => this.arrive(next));
    } else {
      this.note("This file holds only the first and the last iterations");
      if (this.playing) this.pause();
    }
  }

  arrive(t) {
    this.began = null;
    super.setStep(t);
    if (this.playing && this.predictions.on) this.until = this.predictions.nextPause(t);
    if (!this.playing) this.announce();
  }

  /** Playback pauses at the next question, or at the end. */
  nextPause() {
    return this.predictions.on ? this.predictions.nextPause(this.t + 1) : super.nextPause();
  }

  /** After an answer, continue with the next question. At the end of the search, begin again. */
  toggle() {
    const isAtEnd = this.t >= this.steps.length - 1;
    if (this.predictions.outcome) this.predictions.goOn();
    else if (this.playing || !isAtEnd || this.steps.isLoaded(0)) super.toggle();
    else {
      this.loader.load({ step: 0 }, () => {
        this.arrive(0);
        this.continuePlaying();
      });
    }
  }

  /** Go to an iteration, or to a phase of it. */
  goToIteration(number, phase = "select", turn = 1) {
    const { meta } = this.steps;
    const wanted = Math.min(Math.max(number, 1), meta.iterations);
    const arrive = () => this.steps.iteration(wanted) && this.arrive(stepOfPhase(this.steps.iteration(wanted), phase, turn));
    this.pause();
    if (this.steps.iteration(wanted)) {
      this.loader.drop();
      arrive();
    } else if (this.loader.hasServer) this.loader.load({ iteration: wanted }, arrive);
    else this.goToIteration(this.steps.nearestIteration(wanted), phase, turn);
  }

  /** Go to the start of this iteration, or from there to that of the one before. */
  goToPreviousIteration() {
    const { iteration, index } = this.here;
    this.goToIteration(index ? iteration.number : iteration.number - 1);
  }

  goToPhase(phase) {
    this.go(stepOfPhase(this.here.iteration, phase));
  }

  goToNextPhase() {
    const { iteration, step } = this.here;
    const last = iteration.steps.findLastIndex(({ kind }) => kind === step.kind);
    this.go(iteration.start + last + 1);
  }

  goToNextChange() {
    const { number, start, steps } = this.here.iteration;
    const isAtEnd = this.t >= start + steps.length - 1;
    const found = this.steps.meta.timeline.changes.find(([time]) => (isAtEnd ? time > number : time >= number));
    if (found) {
      this.go(found[1]);
      this.note(`Most visits now: ${found[2]}`, 4000);
    } else this.note(this.steps.meta.timeline.omitted ? "Later changes of the best move are not listed" : "The best move does not change any more");
  }

  /** Go to the next iteration through the selected node, or else through the move of the root that this iteration took. */
  async goToNextVisit() {
    const { iteration } = this.here;
    const row = this.selected >= 0 ? this.selected : iteration.path[1] ?? iteration.path[0];
    if (!this.loader.hasServer) {
      const found = [...this.steps.blocks.values()].flatMap(({ iterations }) => iterations).find(({ number, path }) => number > iteration.number && path.includes(row));
      if (found) this.go(found.start);
      else this.note("No later iteration in this file passes through it");
      return;
    }
    const found = await this.loader.ask("visit", { row, iteration: iteration.number });
    if (found) this.go(found.step);
    else this.note("No later iteration passes through it");
  }

  goToTypedIteration(text) {
    const number = Number(text.replaceAll(",", "").trim());
    const { iterations } = this.steps.meta;
    if (Number.isInteger(number) && number >= 1 && number <= iterations) this.goToIteration(number);
    else this.note(`"${text.slice(0, 12)}" is not an iteration: choose 1 to ${iterations.toLocaleString("en-US")}`);
  }

  // ---- what is shown

  select(row) {
    this.selected = row === this.selected ? -1 : row;
    if (this.selected >= 0) this.note("C: the next iteration through the selected node", 4000);
    this.draw();
  }

  setView(name) {
    this.viewName = name;
    for (const button of this.root.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(button.dataset.view === name));
    this.root.classList.toggle("overview", name === "overview");
    this.saveState();
    this.draw();
  }

  showTab(name) {
    this.tab = name;
    for (const button of this.root.querySelectorAll("[data-tab]")) button.setAttribute("aria-selected", String(button.dataset.tab === name));
    for (const panel of this.root.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
    this.saveState();
    this.draw();
  }

  showLegend(on) {
    this.part("legend").hidden = !on;
    this.part("legendButton").setAttribute("aria-pressed", String(on));
    this.draw();
  }

  /** Show more or fewer nodes. */
  showNodes(factor) {
    this.density = Math.min(Math.max(this.density * factor, MIN_DENSITY), MAX_DENSITY);
    this.draw();
  }

  bookmark() {
    this.bookmarksTab.bookmark("");
    this.showTab("marks");
  }

  /** A step in words; undefined if its iteration was never loaded. */
  nameStep(step) {
    const here = this.steps.at(step);
    if (here) this.stepNames.set(step, stepName(here));
    return this.stepNames.get(step);
  }

  /** Load the iterations of the bookmarks of a link, to name them. */
  async nameBookmarks() {
    const { steps, loader } = this;
    const unknown = loader.hasServer ? this.bookmarks.filter(({ step }) => !this.nameStep(step)) : [];
    for (const { step } of unknown) {
      if (!(await loader.fetchBlock({ step })) || this.steps !== steps) return;
      this.bookmarksTab.show();
    }
  }

  saveState() {
    this.state.save();
  }

  announce() {
    if (this.tree && !this.loader.isOpening) this.part("live").textContent = shownWords(this);
  }

  pressKey(event) {
    pressKey(this, event, ITERATION_KEYS, ITERATION_ACTIONS);
  }

  /** Show a message for a while. */
  note(words, time = 2500) {
    const place = this.part("toast");
    place.textContent = words;
    this.part("live").textContent = words;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => (place.textContent = ""), time);
  }

  /** Draw everything in the next frame. */
  draw() {
    if (!this.tree || this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      if (this.root.isConnected && this.here && !this.loader.isOpening) paintIteration(this);
    });
  }
}
