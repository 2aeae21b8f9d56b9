import { displayWidth, truncateText } from '../../../base/terminal-text.ts';

export interface PhaseState {
  readonly title: string;
  readonly total: number | undefined;
  readonly unit: string | undefined;
  readonly done: number;
  readonly started: number;
  /** Oldest first; the rate is measured from the first of them. */
  readonly samples: readonly { readonly at: number; readonly done: number }[];
}

/** As much as fits: title, percentage, amount, time left, rate, and a bar in the remaining space. */
export function barLine(state: PhaseState, now: number, columns: number): string {
  const parts: string[] = [truncateText(state.title, columns)];
  const room = () => columns - displayWidth(parts.join('  '));
  for (const part of [share(state), amount(state), timeLeft(state, now), rate(state, now)]) {
    if (part !== '' && room() >= part.length + 2) parts.push(part);
  }
  const width = Math.min(BAR_WIDTH, room() - 2);
  if (state.total !== undefined && width >= SHORTEST_BAR) parts.splice(1, 0, drawing(fraction(state), width));
  return parts.join('  ');
}

/** `Indexing: 42%, 420/1000 files, 31/s, 19 s left` */
export function logLine(state: PhaseState, now: number): string {
  const facts = [share(state), amount(state), rate(state, now), timeLeft(state, now)];
  return `${state.title}: ${facts.filter((fact) => fact !== '').join(', ')}`;
}

/** `Indexing: 1000 files in 42 s` */
export function phaseEnd(state: PhaseState, now: number): string {
  return `${state.title}: ${quantity(state.done, state.unit)} in ${duration(now - state.started)}`;
}

const BAR_WIDTH = 30;
const SHORTEST_BAR = 10;

function drawing(part: number, width: number): string {
  const inside = width - 2;
  const full = Math.floor(part * inside);
  return `[${'#'.repeat(full)}${'-'.repeat(inside - full)}]`;
}

function fraction({ done, total = 0 }: PhaseState): number {
  if (total <= 0) return 0;
  return Math.min(1, Math.max(0, done / total));
}

function share(state: PhaseState): string {
  return state.total === undefined ? '' : `${Math.floor(fraction(state) * 100)}%`;
}

function amount({ done, total, unit }: PhaseState): string {
  if (total === undefined) return quantity(done, unit);
  return unit === 'bytes' ? `${bytes(done)}/${bytes(total)}` : `${done}/${quantity(total, unit)}`;
}

function rate(state: PhaseState, now: number): string {
  const perSecond = speed(state, now);
  if (perSecond === undefined) return '';
  if (state.unit === 'bytes') return `${bytes(perSecond)}/s`;
  return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
}

function timeLeft(state: PhaseState, now: number): string {
  const perSecond = speed(state, now);
  if (state.total === undefined || !perSecond || state.done >= state.total) return '';
  return `${duration(((state.total - state.done) / perSecond) * 1000)} left`;
}

/** No rate in the first second: it would be a guess. */
function speed({ samples, done, started }: PhaseState, now: number): number | undefined {
  const [first] = samples;
  if (!first || now - started < 1000 || now <= first.at) return undefined;
  return Math.max(0, ((done - first.done) / (now - first.at)) * 1000);
}

function quantity(count: number, unit: string | undefined): string {
  if (unit === 'bytes') return bytes(count);
  return unit ? `${count} ${unit}` : String(count);
}

export function bytes(count: number): string {
  let value = count;
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (value < 1024) return `${unit === 'B' || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`;
    value /= 1024;
  }
  return `${value.toFixed(1)} TiB`;
}

function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return minutes < 6000 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : 'days';
}
