/** Follows what happens elsewhere: the number of requests that wait, and lists that fill by themselves. */

import { swap } from './swap.ts';

interface State {
  readonly waiting: number;
}

/** Tabs share one stream. Without shared workers, only a tab that is seen holds one: browsers allow few connections. */
export function installEvents(): void {
  const { waiting, worker } = document.body.dataset;
  if (waiting === undefined) return;
  if (worker !== undefined && typeof SharedWorker === 'function') {
    const { port } = new SharedWorker(worker, { name: 'ken' });
    port.addEventListener('message', ({ data }) => update(JSON.parse(String(data)) as State));
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
      source.addEventListener('state', (event) => update(JSON.parse(event.data) as State));
    }
  };
  document.addEventListener('visibilitychange', listen);
  listen();
}

let last: string | undefined;

function update(state: State): void {
  const { waiting } = state;
  const title = document.title.replace(/^\(\d+\) /, '');
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = waiting > 0 ? `/favicon.svg?n=${waiting}` : '/favicon.svg';
  const mark = document.querySelector<HTMLElement>('[data-waiting-mark]');
  if (mark) {
    mark.textContent = String(waiting);
    mark.hidden = waiting === 0;
  }
  const seen = JSON.stringify(state);
  const part = document.querySelector<HTMLElement>('[data-live-part]');
  if (part && last !== undefined && last !== seen) void swap(part.id, location.href).catch(() => {});
  last = seen;
}
