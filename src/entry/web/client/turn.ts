/** Asking: the answer as it comes, and files that are dropped on the question. */

import { coalesced, update } from './swap.ts';

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
  const refresh = coalesced(async () => {
    if (!isAnswering(part)) await update(part.id);
  });
  source.addEventListener('turn', (event) => {
    if (event.data === 'ended') source.close();
    refresh();
  });
}

/** A swap would lose what is being typed into a form of the answer. */
function isAnswering(part: HTMLElement): boolean {
  const { activeElement } = document;
  return (
    activeElement instanceof HTMLInputElement && part.contains(activeElement) && activeElement.value !== ''
  );
}

/** Ctrl-Enter sends a question; files can be dropped on it or pasted into it. */
export function installAsk(): void {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-ask]')) {
    area.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) area.form?.requestSubmit();
    });
    const files = area.form?.querySelector<HTMLInputElement>('input[type="file"]');
    if (files && area.form) takeDrops(area.form, files);
  }
}

function takeDrops(form: HTMLFormElement, files: HTMLInputElement): void {
  const add = (given: FileList) => {
    const all = new DataTransfer();
    for (const file of [...(files.files ?? []), ...given]) all.items.add(file);
    files.files = all.files;
  };
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  form.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add('over');
  });
  for (const end of ['dragleave', 'drop'] as const)
    form.addEventListener(end, () => form.classList.remove('over'));
  form.addEventListener('drop', (event) => {
    if (!event.dataTransfer || !hasFiles(event)) return;
    event.preventDefault();
    add(event.dataTransfer.files);
  });
  form.addEventListener('paste', ({ clipboardData }) => {
    if (clipboardData && clipboardData.files.length > 0) add(clipboardData.files);
  });
}
