/** A graph of a few related items, drawn in columns by the server. Each item is a link or a text. */

import { linkHorizontal } from 'd3-shape';
import { type Html, html, NOTHING } from './html.ts';

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly to: string | undefined;
  /** From the left, from 0. */
  readonly column: number;
  readonly kind: 'this' | 'plain' | 'gone';
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

const NODE_WIDTH = 220;
const NODE_HEIGHT = 34;
const GAP_X = 70;
const GAP_Y = 14;
const HEAD = 26;
const LETTERS = 29;

/** `columns` names them; empty ones are left out. Edges lead from left to right. */
export function graphView(
  columns: readonly string[],
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): Html {
  const used = columns.flatMap((title, column) => {
    const inside = nodes.filter((node) => node.column === column);
    return inside.length === 0 ? [] : [{ title, inside }];
  });
  const places = new Map<string, Place>();
  for (const [column, { inside }] of used.entries())
    for (const [row, { id }] of inside.entries()) places.set(id, placeAt(column, row));
  const width = used.length * (NODE_WIDTH + GAP_X) - GAP_X;
  const height = placeAt(0, Math.max(0, ...used.map(({ inside }) => inside.length))).y;
  return html`<div class="wide" tabindex="0"><svg class="graph" viewBox="0 0 ${width} ${height}" width="${width}" role="group" aria-label="What hangs together">
    ${used.map(({ title }, column) => html`<text class="head" x="${placeAt(column, 0).x}" y="14">${title}</text>`)}
    ${edges.map(({ from, to }) => edgeView(places.get(from), places.get(to)))}
    ${nodes.map((node) => nodeView(node, places.get(node.id) ?? placeAt(0, 0)))}
  </svg></div>`;
}

function placeAt(column: number, row: number): Place {
  return { x: column * (NODE_WIDTH + GAP_X), y: HEAD + row * (NODE_HEIGHT + GAP_Y) };
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const curve = linkHorizontal<unknown, readonly [number, number]>();

function edgeView(from: Place | undefined, to: Place | undefined): Html {
  if (!from || !to) return NOTHING;
  const middle = NODE_HEIGHT / 2;
  const drawn = curve({
    source: [from.x + NODE_WIDTH, from.y + middle],
    target: [to.x, to.y + middle],
  });
  return html`<path class="edge" d="${drawn}"/>`;
}

function nodeView({ title, to, kind }: GraphNode, { x, y }: Place): Html {
  const letters = [...title];
  const shown = letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join('')}\u2026` : title;
  const drawn = html`<title>${title}</title><rect class="node ${kind}" x="${x}" y="${y}" width="${NODE_WIDTH}" height="${NODE_HEIGHT}" rx="6"/>
    <text class="${kind}" x="${x + 10}" y="${y + NODE_HEIGHT / 2 + 4}">${shown}</text>`;
  return to === undefined ? html`<g>${drawn}</g>` : html`<a href="${to}">${drawn}</a>`;
}
