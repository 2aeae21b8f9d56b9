import { Tokenizer } from 'htmlparser2';
import type { HtmlElement } from './html-tree.ts';
import { TreeBuilder } from './tree-builder.ts';

/**
 * Reads any text as HTML. The package's tokenizer finds the tags; the tree is built here, since its own parser takes
 * quadratic time for deep nesting and lets a stray end tag break a table.
 */
export function parseHtml(text: string): HtmlElement {
  const source = text.replace(/\r\n?/g, '\n').replaceAll('\0', '');
  const tree = new TreeBuilder();
  const slice = (start: number, end: number) => source.slice(start, end);
  let name = '';
  let value = '';
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => tree.begin(slice(start, end).toLowerCase()),
      onattribname: (start, end) => {
        name = slice(start, end).toLowerCase();
      },
      onattribdata: (start, end) => {
        value += slice(start, end);
      },
      onattribentity: (codePoint) => {
        value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        tree.attribute(name, value);
        value = '';
      },
      onopentagend: () => tree.open(),
      onselfclosingtag: () => tree.open(true),
      onclosetag: (start, end) => tree.close(slice(start, end).toLowerCase().trim()),
      ontext: (start, end) => tree.text(slice(start, end)),
      ontextentity: (codePoint) => tree.text(String.fromCodePoint(codePoint)),
      oncdata: (start, end, offset) => {
        if (tree.isForeign()) tree.text(slice(start, end - offset));
      },
      isInForeignContext: () => tree.isForeign(),
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return tree.root;
}
