/** Live parts: search while typing, and lists that follow what happens elsewhere. */

/** Replaces one element by the same element of another page, fetched from this server. */
export async function swap(id: string, address: string, signal?: AbortSignal): Promise<void> {
  const response = await fetch(address, { headers: { accept: 'text/html' }, ...(signal && { signal }) });
  if (response.redirected || !response.ok) return;
  takePart(id, await response.text());
}

function takePart(id: string, page: string): void {
  const fresh = new DOMParser().parseFromString(page, 'text/html').getElementById(id);
  const old = document.getElementById(id);
  if (!fresh || !old) return;
  // The text is this server's own page, parsed without running anything in it.
  old.replaceChildren(...document.adoptNode(fresh).childNodes);
}

const PAUSE_MS = 140;

export function installSearch(): void {
  const input = document.querySelector<HTMLInputElement>('input[data-live]');
  if (!input) return;
  let timer = 0;
  let earlier = new AbortController();
  input.addEventListener('input', () => {
    clearTimeout(timer);
    earlier.abort();
    earlier = new AbortController();
    const { signal } = earlier;
    timer = window.setTimeout(() => {
      const address = `/search?${new URLSearchParams({ q: input.value })}`;
      swap(input.dataset.live ?? '', address, signal).then(
        () => history.replaceState(null, '', address),
        () => {},
      );
    }, PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    document.querySelector<HTMLAnchorElement>('main [data-items] > li a.name')?.focus();
    event.preventDefault();
  });
  if (input.autofocus) input.focus();
}

interface State {
  readonly waiting: number;
}

/** Only a tab that is seen holds a stream, since browsers allow few connections to one server. */
export function installEvents(): void {
  if (document.body.dataset.waiting === undefined) return;
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

let isFirst = true;

function update({ waiting }: State): void {
  const title = document.title.replace(/^\(\d+\) /, '');
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = waiting > 0 ? `/favicon.svg?n=${waiting}` : '/favicon.svg';
  const mark = document.querySelector<HTMLElement>('[data-waiting-mark]');
  if (mark) {
    mark.textContent = String(waiting);
    mark.hidden = waiting === 0;
  }
  const part = document.querySelector<HTMLElement>('[data-live-part]');
  if (part && !isFirst) void swap(part.id, location.href).catch(() => {});
  isFirst = false;
}

/**
 * Follows an answer. The stream only says that there is more; the part is then fetched whole, so that a stream that was cut
 * and resumed loses and doubles nothing.
 */
export function installTurn(): void {
  const part = document.querySelector<HTMLElement>('[data-turn]');
  if (!part) return;
  const source = new EventSource(
    `/conversations/turn/events?${new URLSearchParams({ key: part.dataset.turn ?? '' })}`,
  );
  let isBusy = false;
  let isStale = false;
  const refresh = async () => {
    isStale = true;
    if (isBusy) return;
    isBusy = true;
    while (isStale) {
      isStale = false;
      await swap(part.id, location.href).catch(() => {});
    }
    isBusy = false;
  };
  source.addEventListener('turn', (event) => {
    if (event.data === 'ended') source.close();
    void refresh();
  });
}

/** Ctrl-Enter sends a question. */
export function installAsk(): void {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-ask]'))
    area.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) area.form?.requestSubmit();
    });
}

/** A click on a citation copies it. */
export function installCopy(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain small';
    button.textContent = 'copy';
    const text = place.textContent ?? '';
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(text).then(
        () => {
          button.textContent = 'copied';
        },
        () => {},
      );
    });
    place.after(' ', button);
  }
}

const PREVIEW_PAUSE_MS = 400;

/** Shows what is being typed. The server keeps the text as a draft, so that a reload loses nothing. */
export function installPreview(): void {
  const area = document.querySelector<HTMLTextAreaElement>('textarea[data-preview]');
  const form = area?.form;
  if (!area || !form) return;
  let timer = 0;
  let earlier = new AbortController();
  const show = async (signal: AbortSignal) => {
    // Only text fields are in the form.
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const response = await fetch('/kb/preview', { method: 'POST', body, signal });
    if (!response.ok) return;
    const draft = new URL(response.url).searchParams.get('draft');
    if (draft !== null) {
      form.querySelector<HTMLInputElement>('[name="draft"]')?.setAttribute('value', draft);
      history.replaceState(null, '', response.url);
    }
    takePart(area.dataset.preview ?? '', await response.text());
  };
  area.addEventListener('input', () => {
    clearTimeout(timer);
    earlier.abort();
    earlier = new AbortController();
    const { signal } = earlier;
    timer = window.setTimeout(() => void show(signal).catch(() => {}), PREVIEW_PAUSE_MS);
  });
  form.addEventListener('submit', () => earlier.abort());
}
