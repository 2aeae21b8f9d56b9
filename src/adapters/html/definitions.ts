import { type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';
import { joinItems, type Render } from './lists.ts';

interface Definition {
  readonly terms: string[];
  readonly meaning: string[];
}

/** Terms in bold, each with what it means behind or below it. */
export function renderDefinitions(
  list: HtmlElement,
  render: { readonly line: Render<string>; readonly blocks: Render<string[]> },
): string[] {
  const definitions: Definition[] = [];
  for (const node of partsOf(list)) {
    const last = definitions.at(-1);
    if (isElement(node) && node.name === 'dt') {
      const term = render.line(node.children).replace(/:$/, '');
      if (term === '') continue;
      if (last && last.meaning.length === 0) last.terms.push(term);
      else definitions.push({ terms: [term], meaning: [] });
      continue;
    }
    const meaning = render.blocks(isElement(node) && node.name === 'dd' ? node.children : [node]);
    if (last) for (const block of meaning) last.meaning.push(block);
    else if (meaning.length > 0) definitions.push({ terms: [], meaning });
  }
  return definitions.length === 0 ? [] : [joinItems(definitions.map(itemOf))];
}

/** Groups of terms and meanings may have an element of their own around them. */
function partsOf(list: HtmlElement): HtmlNode[] {
  return list.children.flatMap((child) =>
    isElement(child) && child.name === 'div' ? child.children : [child],
  );
}

function itemOf({ terms, meaning }: Definition): string[] {
  const head = terms.map((term) => `**${term}**`).join(', ');
  if (head === '') return ['- ', ...meaning];
  const [first = '', ...rest] = meaning;
  const isPhrase = first !== '' && !/^(```|\||- |\d+\. |> |#)/.test(first) && !first.includes('\n');
  return isPhrase ? ['- ', `${head}: ${first}`, ...rest] : ['- ', head, ...meaning];
}
