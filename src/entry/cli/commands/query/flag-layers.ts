import { Fault } from '../../../../base/fault.ts';
import { didYouMean } from '../../../../base/similar.ts';
import type { Change } from '../../../../config/change.ts';
import type { Layer } from '../../../../config/resolve.ts';
import { isTree, type Tree, valueAt } from '../../../../config/tree.ts';
import { parseKnowledgeFlag } from '../../../../domain/knowledge-base/knowledge-flag.ts';
import type { Options } from '../../options.ts';

/** `below` is the configuration without these layers, which knows the topics. */
export function flagLayers(options: Options<'model' | 'knowledge'>): (below: Tree) => Layer[] {
  const model = options.text('model');
  const knowledge = options.texts('knowledge').map((text) => ({ text, ...parseKnowledgeFlag(text) }));
  return (below) => [
    ...(model === undefined
      ? []
      : [layer(`--model ${model}`, { op: 'set', path: ['assistant', 'model'], value: model })]),
    ...knowledge.map(({ text, topicId, pattern }) => {
      checkTopic(topicId, below);
      const path = ['kb', 'topic', topicId, 'learned'];
      return layer(`--knowledge ${text}`, { op: 'append', path, value: [pattern] });
    }),
  ];
}

function layer(name: string, change: Change): Layer {
  return { origin: { kind: 'flag', name }, standing: 'operator', changes: [change] };
}

function checkTopic(id: string, below: Tree): void {
  const topics = valueAt(below, ['kb', 'topic']);
  const known = isTree(topics) ? Object.keys(topics) : [];
  if (known.includes(id)) return;
  throw new Fault('kb/unknown-topic', `There is no topic "${id}".`, {
    hint:
      didYouMean(id, known) ??
      (known.length > 0 ? `Topics: ${known.join(', ')}.` : 'No topics are configured.'),
  });
}
