import { singleLine, truncateText } from '../../../base/terminal-text.ts';
import type { Clock } from '../../../base/time.ts';
import { barLine, logLine, type PhaseState, phaseEnd } from './progress-text.ts';

export interface Phase {
  readonly title: string;
  readonly total?: number | undefined;
  readonly done?: number | undefined;
  readonly unit?: string | undefined;
}

export interface Progress {
  /** Ends the phase before. */
  phase(phase: Phase): void;
  /** Sets the total too, if it is known only now. */
  update(done: number, total?: number): void;
  /** Clears the bar. Must be called however the work ends. */
  end(): void;
  /** Clears the bar for other output; the next update draws it again. */
  hide(): void;
}

export interface ProgressSink {
  /** `bar` needs a terminal that can go back to the beginning of a line. */
  readonly form: 'bar' | 'lines' | 'none';
  columns(): number;
  write(text: string): void;
}

export function progress(sink: ProgressSink, clock: Clock): Progress {
  if (sink.form === 'none') return SILENT;
  return sink.form === 'bar' ? bar(sink, clock) : log(sink, clock);
}

/** One line without an amount, for work that tells nothing but its name. */
export interface Status extends Pick<Progress, 'end' | 'hide'> {
  /** Counts the time from here if the text is another one. */
  say(text: string): void;
}

/** Needs a sink of the form `bar`. Redraws itself each second, since nothing else happens meanwhile. */
export function status(sink: ProgressSink, clock: Clock): Status {
  let said = '';
  let since = 0;
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    const seconds = Math.floor((clock.now() - since) / 1000);
    const line = seconds < 1 ? `${said} …` : `${said} … ${seconds} s`;
    sink.write(`\r${truncateText(line, sink.columns() - 1)}\u001b[K`);
    isShown = true;
  };
  const hide = () => {
    if (isShown) sink.write('\r\u001b[K');
    isShown = false;
  };
  return {
    say(text) {
      if (text !== said) since = clock.now();
      said = singleLine(text);
      draw();
      timer ??= setInterval(draw, 1000).unref();
    },
    end() {
      clearInterval(timer);
      timer = undefined;
      said = '';
      hide();
    },
    hide,
  };
}

const SILENT: Progress = { phase() {}, update() {}, end() {}, hide() {} };
const REDRAW_MS = 100;
const LOG_MS = 5000;

/** Erasing its one line leaves nothing behind; the cursor stays visible. */
function bar(sink: ProgressSink, clock: Clock): Progress {
  let state: PhaseState | undefined;
  let drawn = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const draw = () => {
    if (!state) return;
    sink.write(`\r${barLine(state, clock.now(), sink.columns() - 1)}\u001b[K`);
    drawn = clock.now();
    isShown = true;
  };
  const hide = () => {
    if (isShown) sink.write('\r\u001b[K');
    isShown = false;
  };
  return {
    phase(next) {
      state = begin(next, clock.now());
      draw();
    },
    update(done, total) {
      if (!state) return;
      state = advance(state, done, total, clock.now());
      if (clock.now() - drawn >= REDRAW_MS || !isShown) draw();
    },
    end() {
      hide();
      state = undefined;
    },
    hide,
  };
}

/** Prints nothing for work that ends within a short time. */
function log(sink: ProgressSink, clock: Clock): Progress {
  let state: PhaseState | undefined;
  let said = 0;
  const say = (text: string) => {
    sink.write(`${text}\n`);
    said = clock.now();
  };
  const end = () => {
    if (state && clock.now() - state.started >= LOG_MS) say(phaseEnd(state, clock.now()));
    state = undefined;
  };
  return {
    phase(next) {
      end();
      state = begin(next, clock.now());
      said = clock.now();
    },
    update(done, total) {
      if (!state) return;
      state = advance(state, done, total, clock.now());
      if (clock.now() - said >= LOG_MS) say(logLine(state, clock.now()));
    },
    end,
    hide() {},
  };
}

function begin({ title, total, unit, done = 0 }: Phase, now: number): PhaseState {
  return { title: singleLine(title), total, unit, done, started: now, samples: [{ at: now, done }] };
}

/** Keeps only recent samples, for the present rate. */
function advance(state: PhaseState, done: number, total: number | undefined, now: number): PhaseState {
  const { samples } = state;
  const last = samples.at(-1);
  const isDue = last === undefined || now - last.at >= SAMPLE_MS;
  return {
    ...state,
    done,
    total: total ?? state.total,
    samples: isDue ? [...samples.slice(-SAMPLES), { at: now, done }] : samples,
  };
}

const SAMPLE_MS = 500;
const SAMPLES = 20;
