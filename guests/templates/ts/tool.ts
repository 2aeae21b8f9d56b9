import { list, readText, tool } from './ken-tool.ts';

interface Given {
  readonly name: string;
}

export const run = tool<Given>({
  run({ name }, { root }) {
    const files = list(root).filter((file) => !file.startsWith('.'));
    const readme = files.find((file) => /^readme/i.test(file));
    const firstLine = readme ? readText(`${root}/${readme}`).split('\n')[0] : 'there is no README';
    return `Hello, ${name}! I see ${files.length} names here; ${firstLine}`;
  },
  format: ({ name }) => `greet ${name}`,
});
