/** Follows what happens elsewhere: the number of requests that wait, and lists that fill by themselves. */

import { coalesced, update } from './swap.ts';

interface State {
  readonly waiting: number;
  readonly jobs?: readonly { readonly id: string; readonly progress: object | null }[];
  /** Changes while something is indexed, and after it. */
  readonly indexing?: string;
}

/** Tabs share one stream. Without shared workers, only a tab that is seen holds one: browsers allow few connections. */
export function installEvents(): void {
  const { waiting, worker } = document.body.dataset;
  if (waiting === undefined) return;
  if (worker !== undefined && typeof SharedWorker === 'function') {
    const { port } = new SharedWorker(worker, { name: 'ken' });
    port.addEventListener('message', ({ data }) => hear(String(data)));
    port.start();
    addEventListener('pagehide', () => port.postMessage('leave'));
    addEventListener('pageshow', ({ persisted }) => persisted && port.postMessage('come'));
    return;
  }
  let source: EventSource | undefined;
  const listen = () => {
    if (document.hidden) {
      source?.close();
      source = undefined;
    } else if (!source) {
      source = new EventSource('/events');
      source.addEventListener('state', (event) => hear(String(event.data)));
      source.addEventListener('error', () => hear('lost'));
    }
  };
  document.addEventListener('visibilitychange', listen);
  listen();
}

/** `lost`, or the state as JSON. */
function hear(data: string): void {
  tellLost(data === 'lost');
  if (data !== 'lost') show(JSON.parse(data) as State);
}

const LOST =
  'ken no longer answers. If it has ended, start it again with "ken web" and open the address that it prints; nothing that was saved is lost.';
/** The stream is also lost for a moment while another page loads. */
const PATIENCE_MS = 2_500;

let losing = 0;

function tellLost(isLost: boolean): void {
  clearTimeout(losing);
  if (!isLost) {
    document.getElementById('lost')?.remove();
    return;
  }
  losing = window.setTimeout(() => {
    if (document.getElementById('lost')) return;
    const notice = document.createElement('div');
    notice.id = 'lost';
    notice.className = 'notice problem';
    notice.setAttribute('role', 'alert');
    notice.textContent = LOST;
    document.getElementById('content')?.prepend(notice);
  }, PATIENCE_MS);
}

let last: string | undefined;

function show(state: State): void {
  const { waiting, indexing, ...rest } = state;
  const title = document.title.replace(/^\(\d+\) /, '');
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = waiting > 0 ? `/favicon.svg?n=${waiting}` : '/favicon.svg';
  const mark = document.querySelector<HTMLElement>('[data-waiting-mark]');
  if (mark) {
    mark.textContent = String(waiting);
    mark.hidden = waiting === 0;
  }
  const seen = JSON.stringify({ waiting, ...rest });
  const part = document.querySelector<HTMLElement>('[data-live-part]');
  if (part && last !== undefined && last !== seen) again(part.id);
  last = seen;
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-follows]'))
    if (dataset.seen !== followed(state, dataset.follows)) again(dataset.part ?? '');
}

/** As the server writes it into the page. */
function followed({ indexing = '', jobs = [] }: State, what: string | undefined): string {
  if (what === 'indexing') return indexing;
  const job = jobs.find(({ id }) => id === what);
  return job ? JSON.stringify(job.progress) : '';
}

const parts = new Map<string, () => void>();

function again(id: string): void {
  const load = parts.get(id) ?? coalesced(() => update(id));
  parts.set(id, load);
  load();
}
