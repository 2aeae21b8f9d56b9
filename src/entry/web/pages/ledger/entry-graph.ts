/** The neighbours of an entry: what it replaces, is replaced by, rests on, and what else rests on that. */

import type { WorkspaceApp } from '../../../../app.ts';
import type { Entry } from '../../../../domain/ledger/entry/entry.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { type GraphEdge, type GraphNode, graphView } from '../../parts/graph.ts';
import { address, citationAddress, type Html, html, NOTHING } from '../../parts/html.ts';

const MOST_REPLACED = 12;
const MOST_EVIDENCE = 8;
const MOST_OTHERS = 6;

const COLUMNS = ['Replaced', 'This entry', 'Replaced by, or rests on', 'Also rests on it'] as const;

interface Neighbourhood {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export async function neighbourhood(app: WorkspaceApp, entry: Entry): Promise<Neighbourhood> {
  const nodes = new Map<string, GraphNode>([[entry.id, entryNode(entry, 1, 'this')]]);
  const edges: GraphEdge[] = [];
  const add = (node: GraphNode, edge: GraphEdge) => {
    if (!nodes.has(node.id)) nodes.set(node.id, node);
    edges.push(edge);
  };
  for (const before of await chain(app, entry, ({ supersedes }) => supersedes))
    add(entryNode(before, 0, 'gone'), { from: before.id, to: entry.id });
  for (const after of await chain(app, entry, ({ supersededBy }) => supersededBy))
    add(entryNode(after, 2, 'plain'), { from: entry.id, to: after.id });
  for (const { provenance } of entry.citations.slice(0, MOST_EVIDENCE)) {
    add(evidenceNode(provenance), { from: entry.id, to: provenance });
    const others = await app.ledger.list({
      cites: provenance,
      statuses: ['active'],
      limit: MOST_OTHERS + 1,
    });
    for (const other of others.filter(({ id }) => !nodes.has(id)).slice(0, MOST_OTHERS))
      add(entryNode(other, 3, 'plain'), { from: provenance, to: other.id });
  }
  return { nodes: [...nodes.values()], edges };
}

async function chain(
  { ledger }: WorkspaceApp,
  start: Entry,
  next: (entry: Entry) => string | undefined,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const seen = new Set([start.id]);
  for (let id = next(start); id !== undefined && !seen.has(id) && found.length < MOST_REPLACED; ) {
    seen.add(id);
    const [entry] = await ledger.entries([id]);
    if (!entry) break;
    found.push(entry);
    id = next(entry);
  }
  return found;
}

function entryNode({ id, title }: Entry, column: number, kind: GraphNode['kind']): GraphNode {
  return { id, title, column, kind, to: address('/ledger/entry', { id }) };
}

function evidenceNode(provenance: string): GraphNode {
  const uri = provenance.startsWith('ref:') ? provenance.slice(4) : '';
  const to = isCitationUri(uri) ? citationAddress(uri) : undefined;
  const shown = provenance.replace(/^ref:ken:\/\//, '').replace(/^(?:file|url):/, '');
  return { id: provenance, title: shown, column: 2, kind: 'plain', to };
}

export function neighboursView({ nodes, edges }: Neighbourhood): Html {
  if (nodes.length < 3) return NOTHING;
  return html`<section class="stack" aria-labelledby="together"><h2 id="together">What hangs together</h2>
    ${graphView(COLUMNS, nodes, edges)}</section>`;
}
