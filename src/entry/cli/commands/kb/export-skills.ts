import path from 'node:path';
import { exportSkills } from '../../../../domain/knowledge-base/export-skills.ts';
import { requireTopic } from '../../../../domain/knowledge-base/learn/learn-from.ts';
import { openTopic } from '../../../../domain/knowledge-base/open-topics.ts';
import { offeredKnowledge } from '../../../../domain/knowledge-base/topic.ts';
import { command } from '../../command.ts';

export const exportTopic = command({
  name: 'export-skills',
  summary: "write a topic's subjects as Agent Skills",
  description:
    'Each visible subject becomes NAME/SKILL.md; hidden ones go with the skill above them. Nothing that exists is ' +
    'overwritten: when one name is taken, nothing is written. Files of an earlier export stay, so that an interrupted ' +
    'export can be repeated.',
  examples: ['kb export-skills skills ~/.agents/skills'],
  arguments: [
    { name: 'topic', summary: 'the id or title of a topic', required: true, complete: 'topics' },
    { name: 'directory', summary: 'the target directory', required: true, complete: 'directories' },
  ],

  async run({ arguments: [asked = '', target = ''], directory, terminal, open }) {
    const app = await open();
    const topic = requireTopic(offeredKnowledge(app), asked);
    const { skills, leftOut } = exportSkills(await openTopic(app, topic));
    const place = path.resolve(directory, target);
    await app.newFiles.create(
      place,
      skills.flatMap(({ files }) => files),
      { keepsEqual: true },
    );
    for (const { slug, why } of leftOut) terminal.warn(`${topic.id}/${slug} was left out: ${why}`);
    if (terminal.json) {
      const written = skills.map(({ name, slug, files }) => ({
        name,
        slug,
        files: files.map((file) => file.path),
      }));
      terminal.printJson({ directory: place, skills: written, left_out: leftOut });
    } else
      for (const { files } of skills) for (const file of files) terminal.print(path.join(place, file.path));
  },
});
