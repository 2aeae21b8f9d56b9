/** Lists that follow what is typed. */

import { debounced, swap, takePart } from './swap.ts';

const PAUSE_MS = 140;

/** A form whose fields change a part of its page: search, and the filters of lists. The address holds what was asked. */
export function installLiveForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) {
    const show = debounced(PAUSE_MS, async (signal) => {
      const given = [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && value !== '' ? [[name, value]] : [],
      );
      const address = `${form.getAttribute('action')}?${new URLSearchParams(given)}`;
      await swap(form.dataset.live ?? '', address, signal);
      history.replaceState(null, '', address);
    });
    form.addEventListener('input', show.call);
    form.addEventListener('submit', show.stop);
  }
  const first = document.querySelector<HTMLInputElement>('input[autofocus]');
  first?.focus();
}

/** A click copies. */
export function installCopy(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
    if (!button) return;
    const label = button.textContent;
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(
      () => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = label;
        }, 1_500);
      },
      () => {},
    );
  });
}

/** A slider says what it is set to. */
export function installSliders(): void {
  for (const slider of document.querySelectorAll<HTMLInputElement>('input[type="range"][data-days]')) {
    const output = slider.form?.querySelector('output');
    slider.addEventListener('input', () => {
      const day = new Date(Date.now() - Number(slider.value) * 86_400_000).toISOString().slice(0, 10);
      if (output) output.textContent = Number(slider.value) === 0 ? 'now' : day;
    });
  }
}

const PREVIEW_PAUSE_MS = 400;

/** Shows what is being typed. The server keeps the text as a draft, so that a reload loses nothing. */
export function installPreview(): void {
  const area = document.querySelector<HTMLTextAreaElement>('textarea[data-preview]');
  const form = area?.form;
  if (!area || !form) return;
  const show = debounced(PREVIEW_PAUSE_MS, async (signal) => {
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
  });
  area.addEventListener('input', show.call);
  form.addEventListener('submit', show.stop);
}

/** A button whose work takes a while says so, and is not pressed twice. */
export function installBusy(): void {
  document.addEventListener('submit', ({ target, submitter }) => {
    const text = submitter?.dataset.busy;
    if (text === undefined || !(submitter instanceof HTMLButtonElement)) return;
    const { textContent } = submitter;
    submitter.textContent = text;
    // A form of a disabled button is still sent, once this event is over.
    setTimeout(() => {
      submitter.disabled = true;
    });
    if (target instanceof HTMLElement) target.ariaBusy = 'true';
    // Back from the history, the page is as it was left.
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return;
      submitter.textContent = textContent;
      submitter.disabled = false;
    });
  });
}
