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
  d: '/doctor',
};

export function installKeys(): void {
  let isGoing = false;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const { key } = event;
    const target = isGoing ? GO_TO[key] : undefined;
    isGoing = key === 'g';
    if (target !== undefined) location.assign(target);
    else if (!handle(key)) return;
    event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
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
  if (key === 'j' || key === 'k') return pick(key === 'j' ? 1 : -1);
  return false;
}

/** Moves the focus to the link of the next or previous item of the page's list. */
export function pick(step: number): boolean {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main [data-items] > li a.name')];
  if (links.length === 0) return false;
  const at = links.findIndex((link) => link.matches(':focus'));
  const next =
    at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
  links[next]?.focus();
  return true;
}
