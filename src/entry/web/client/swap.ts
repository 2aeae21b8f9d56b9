/** Replaces parts of the page by the same parts of pages that the server made. */

export async function swap(id: string, address: string, signal?: AbortSignal): Promise<void> {
  const response = await fetch(address, { headers: { accept: 'text/html' }, ...(signal && { signal }) });
  if (response.redirected || !response.ok) return;
  takePart(id, await response.text());
}

/** Loads a part of the page that is shown again, unless another address is shown by the time that it comes. */
export async function update(id: string): Promise<void> {
  const { href } = location;
  const response = await fetch(href, { headers: { accept: 'text/html', 'x-ken-update': '1' } });
  const text = await response.text();
  if (response.ok && !response.redirected && location.href === href) takePart(id, text);
}

/** Work that is asked for while it runs is done once more after it, so that the last one saw everything. */
export function coalesced(work: () => Promise<void>): () => void {
  let [isBusy, isStale] = [false, false];
  return async () => {
    isStale = true;
    if (isBusy) return;
    isBusy = true;
    while (isStale) {
      isStale = false;
      await work().catch(() => {});
    }
    isBusy = false;
  };
}

/** The text is this server's own page; parsing it runs nothing in it. What was unfolded stays so. */
export function takePart(id: string, page: string): void {
  const fresh = new DOMParser().parseFromString(page, 'text/html').getElementById(id);
  const old = document.getElementById(id);
  if (!fresh || !old) return;
  const focused = old.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null;
  const open = [...old.querySelectorAll('details')].map((each) => each.open);
  for (const [at, each] of fresh.querySelectorAll('details').entries()) if (open[at]) each.open = true;
  const ticked = new Set(
    [...old.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value),
  );
  for (const each of fresh.querySelectorAll<HTMLInputElement>('input[type="checkbox"]'))
    each.checked = ticked.has(each.value);
  old.replaceChildren(...document.adoptNode(fresh).childNodes);
  if (focused) [...old.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus();
}

/** Runs only the last of several calls that come soon after one another, and stops an earlier one that still runs. */
export function debounced(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): { call(): void; stop(): void } {
  let timer = 0;
  let earlier = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    earlier.abort();
  };
  return {
    stop,
    call() {
      stop();
      earlier = new AbortController();
      const { signal } = earlier;
      timer = window.setTimeout(() => void work(signal).catch(() => {}), pauseMs);
    },
  };
}
