/** Keys of the page: `?` lists them. */

const GO_TO: Readonly<Record<string, string>> = {
  h: '/',
  s: '/search',
  a: '/approvals',
  k: '/kb',
  r: '/references',
  l: '/ledger',
  c: '/conversations',
  t: '/tools',
  j: '/jobs',
  e: '/settings',
  d: '/doctor',
};

export function installKeys(): void {
  let isGoing = false;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target } = event;
    if (isTyping(target)) {
      if (leavesField(key, target)) event.preventDefault();
      return;
    }
    const to = isGoing ? GO_TO[key] : undefined;
    isGoing = key === 'g';
    if (to !== undefined) location.assign(to);
    else if (!handle(key)) return;
    event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** From a search field, the hits are one key away. */
function leavesField(key: string, target: HTMLElement): boolean {
  if (key === 'Escape') target.blur();
  return key === 'ArrowDown' && target.matches('input[type="search"]') && pick(1);
}

function handle(key: string): boolean {
  if (key === '/') {
    document.querySelector<HTMLInputElement>('main [data-key="/"], [data-key="/"]')?.focus();
    return true;
  }
  if (key === '?') {
    document.querySelector<HTMLDialogElement>('#keys')?.showModal();
    return true;
  }
  const isInList = document.activeElement?.matches('[data-items] > li a.name') ?? false;
  if (key === 'j' || (key === 'ArrowDown' && isInList)) return pick(1);
  if (key === 'k' || (key === 'ArrowUp' && isInList)) return pick(-1);
  // The buttons of a page that have a key of their own, such as a decision.
  const button = document.querySelector<HTMLElement>(`main [data-key="${CSS.escape(key)}"]`);
  button?.focus();
  return button !== null;
}

/** Moves the focus to the link of the next or previous item of the page's list; above the first is the search field. */
function pick(step: number): boolean {
  const all = document.querySelectorAll<HTMLAnchorElement>('main [data-items] > li a.name');
  const links = [...all].filter((link) => link.checkVisibility());
  if (links.length === 0) return false;
  const at = links.findIndex((link) => link.matches(':focus'));
  if (at === 0 && step < 0) {
    const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
    field?.focus();
    return field !== null;
  }
  links[at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.min(at + step, links.length - 1)]?.focus();
  return true;
}
