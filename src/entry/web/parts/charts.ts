/** Charts and maps as SVG, drawn by the server. Each has a description in words for screen readers. */

import { hierarchy, treemap } from 'd3-hierarchy';
import { area, curveMonotoneX, line } from 'd3-shape';
import { isoTime } from '../../../base/time.ts';
import { type Html, html, NOTHING } from './html.ts';

const WIDTH = 320;
const HEIGHT = 96;
const GAP = 2;
const WIDEST = 28;

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** A chart over less time shows no trend. */
const SHORTEST_MS = 86_400_000;

/** A line chart of one quantity; nothing when the points span less than a day. */
export function growthChart(title: string, points: readonly Point[], words: string): Html {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.at - first.at < SHORTEST_MS) return NOTHING;
  const most = Math.max(...points.map(({ value }) => value), 1);
  const x = ({ at }: Point) => ((at - first.at) / (last.at - first.at)) * WIDTH;
  const y = ({ value }: Point) => HEIGHT - (value / most) * (HEIGHT - 4);
  const filled = area<Point>().x(x).y0(HEIGHT).y1(y).curve(curveMonotoneX)([...points]);
  const drawn = line<Point>().x(x).y(y).curve(curveMonotoneX)([...points]);
  return figure(title, words, html`<path class="filled" d="${filled}"/><path class="drawn" d="${drawn}"/>`, [
    isoTime(first.at).slice(0, 10),
    isoTime(last.at).slice(0, 10),
  ]);
}

export interface Bar {
  readonly label: string;
  /** From the bottom up; `kind` is `good`, `bad` or `plain`. */
  readonly parts: readonly { readonly kind: string; readonly value: number }[];
}

/** A bar chart; nothing when all quantities are 0. */
export function barChart(title: string, bars: readonly Bar[], words: string): Html {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const most = Math.max(...totals, 0);
  if (most === 0) return NOTHING;
  const width = WIDTH / bars.length;
  const gap = Math.max(GAP, (width - WIDEST) / 2);
  const drawn = bars.map(({ label, parts }, at) => {
    let bottom = HEIGHT;
    return html`<g><title>${label}: ${totals[at] ?? 0}</title>${parts.map(({ kind, value }) => {
      const height = (value / most) * (HEIGHT - 4);
      bottom -= height;
      return html`<rect class="${kind}" x="${at * width + gap}" y="${bottom}" width="${width - 2 * gap}" height="${height}" rx="2"/>`;
    })}</g>`;
  });
  const ends = bars.length > MOST_NAMED ? [bars[0], bars.at(-1)] : bars;
  return figure(
    title,
    words,
    html`${drawn}`,
    ends.flatMap((bar) => bar?.label ?? []),
  );
}

/** With more bars, only the first and the last have a name below them. */
const MOST_NAMED = 6;

function figure(title: string, words: string, drawn: Html, names: readonly string[]): Html {
  return html`<figure class="chart card"><figcaption><strong>${title}</strong> <span class="quiet">${words}</span></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>
    <p class="names quiet" aria-hidden="true">${names.map((name) => html`<span>${name}</span>`)}</p></figure>`;
}

export interface Tile {
  readonly name: string;
  readonly to: string;
  readonly size: number;
  /** 0 is the newest of five. */
  readonly age: 0 | 1 | 2 | 3 | 4;
  /** Size and age in words. */
  readonly words: string;
}

const MAP_WIDTH = 960;
const MAP_HEIGHT = 420;

/** Rectangles whose areas are the sizes and whose colours are the ages; each is a link. */
export function tileMap(label: string, tiles: readonly Tile[]): Html {
  interface Branch {
    readonly children?: readonly Tile[];
  }
  const root = hierarchy<Branch | Tile>({ children: tiles })
    .sum((each) => ('size' in each ? Math.max(1, each.size) : 0))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const placed = treemap<Branch | Tile>().size([MAP_WIDTH, MAP_HEIGHT]).paddingInner(3)(root);
  const shown = placed.leaves().map(({ x0, y0, x1, y1, data }) => {
    if (!('to' in data)) return NOTHING;
    const [width, height] = [x1 - x0, y1 - y0];
    const letters = Math.floor((width - 16) / 8);
    const name =
      data.name.length > letters ? `${data.name.slice(0, Math.max(0, letters - 1))}\u2026` : data.name;
    const text =
      height < 24 || letters < 4
        ? NOTHING
        : html`<text x="${x0 + 8}" y="${y0 + 20}" aria-hidden="true">${name}</text>`;
    return html`<a href="${data.to}" aria-label="${data.name}, ${data.words}"><title>${data.name}, ${data.words}</title>
      <rect class="age-${data.age}" x="${x0}" y="${y0}" width="${width}" height="${height}" rx="4"/>${text}</a>`;
  });
  return html`<div class="wide" tabindex="0"><svg class="map" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="group" aria-label="${label}">${shown}</svg></div>`;
}
