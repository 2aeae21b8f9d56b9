/** Edits Markdown with colours, in place of the plain field, which keeps the text and sends it. */

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, color: 'var(--string)' },
  { tag: [tags.quote, tags.processingInstruction, tags.meta, tags.comment], color: 'var(--quiet)' },
]);

const theme = EditorView.theme({
  '&': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--paper)',
    color: 'var(--ink)',
    fontSize: 'var(--type-1)',
    height: '60vh',
    minHeight: '24rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { background: 'var(--panel)', color: 'var(--quiet)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--accent-soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--paper) 70%, var(--accent))',
  },
});

const { nonce = '' } = (document.currentScript ?? {}) as { readonly nonce?: string };

/** Goes on where one began to write; each change goes back into the field, so that the form sends what is seen. */
function edit(field: HTMLTextAreaElement): void {
  const save = () => {
    field.form?.requestSubmit();
    return true;
  };
  const hadFocus = document.activeElement === field;
  const view = new EditorView({
    state: EditorState.create({
      doc: field.value,
      selection: { anchor: field.selectionStart, head: field.selectionEnd },
      extensions: [
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        syntaxHighlighting(colours),
        markdownLanguage,
        theme,
        keymap.of([{ key: 'Mod-s', run: save }, ...markdownKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({
          tabindex: '0',
          'aria-label': field.labels[0]?.textContent?.trim() || 'Text',
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          field.value = state.doc.toString();
          field.dispatchEvent(new Event('input'));
        }),
      ],
    }),
  });
  field.hidden = true;
  field.required = false;
  field.after(view.dom);
  if (hadFocus) view.focus();
}

for (const field of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-editor]')) edit(field);
