/** Images, PDF and DOCX files that are attached: what each provider is sent, and what is refused before anything is sent. */

import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { saying } from '../conversations/scripted-replies.ts';
import { asking, type Provider } from './asking.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');
const [png, pdf] = [PNG.toString('base64'), PDF.toString('base64')];
const REFUSED = { status: 400, body: '{"error":{"message":"Enough."}}' };

async function scene(provider: Provider, answers = [REFUSED] as Parameters<typeof asking>[1]) {
  const box = await asking(provider, answers);
  box.write('pictures/dot.png', PNG);
  box.write('paper.pdf', PDF);
  const sent = () => JSON.parse(box.server.requests[0]?.body ?? '{}');
  return { ...box, sent };
}

it.each<[Provider, (sent: ReturnType<typeof JSON.parse>) => unknown, unknown]>([
  [
    'anthropic',
    ({ messages }) => messages[0].content,
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
      { type: 'text' },
    ],
  ],
  [
    'openai',
    ({ input }) => input.find(({ role }: { role: string }) => role === 'user').content,
    [
      { type: 'input_image', image_url: `data:image/png;base64,${png}` },
      { type: 'input_file', filename: 'paper.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      { type: 'input_text' },
    ],
  ],
  [
    'google',
    ({ contents }) => contents[0].parts,
    [
      { inlineData: { mimeType: 'image/png', data: png } },
      { inlineData: { mimeType: 'application/pdf', data: pdf } },
      {},
    ],
  ],
])('%s gets images and PDF files as they are', async (provider, contentOf, content) => {
  const box = await scene(provider);
  await box.ken(['q', '-a', 'pictures/dot.png', '-a', 'paper.pdf', 'What is this?']);
  expect(contentOf(box.sent())).toMatchObject(content as object);
  expect(box.server.requests[0]?.body).toContain('Attached \\"pictures/dot.png\\" (image/png).');
});

it.each<[Provider, (sent: ReturnType<typeof JSON.parse>) => unknown, unknown]>([
  [
    'llamacpp',
    ({ messages }) => messages[1].content,
    [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }, { type: 'text' }],
  ],
  ['ollama', ({ messages }) => messages[1].images, [png]],
])(
  '%s gets images, and a PDF file is refused before anything is sent',
  async (provider, contentOf, content) => {
    const box = await scene(provider);
    expect(await box.ken(['q', '-a', 'paper.pdf', 'What is this?'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'ken: test/some-model takes no PDF files: paper.pdf.\n' +
        'hint: Choose another model with -m, or attach the text of the file.\n',
    });
    expect(box.server.requests).toEqual([]);
    await box.ken(['q', '-a', 'pictures/*.png', 'What is this?']);
    expect(contentOf(box.sent())).toMatchObject(content as object);
  },
);

it('sends a DOCX file as its text, and an earlier image only to a model that takes it', async () => {
  const box = await scene('llamacpp', [saying('A dot.'), saying('A port.')]);
  box.write('ports.docx', docx('<w:p><w:r><w:t>The API listens on 8080.</w:t></w:r></w:p>'));
  await box.ken(['q', '-n', '-a', 'pictures/dot.png', 'What is this?']);
  await box.ken(['q', '-a', 'ports.docx', 'And this?']);
  const { messages } = JSON.parse(box.server.requests[1]?.body ?? '{}');
  expect(messages.at(-1)).toEqual({
    role: 'user',
    content: 'Attached "ports.docx":\n\n```\nThe API listens on 8080.\n```\n\nAnd this?',
  });
  expect(messages[1].content[0].type).toBe('image_url');
  const offline = await box.ken(['q', '-m', 'ken/extractive', 'Which port does the API listen on?']);
  expect(offline).toMatchObject({ code: 0 });
});

it.each([
  ['fake.png', 'not an image', 'is not what its name says: its content is not image/png.'],
  ['fake.pdf', '<script>', 'is not what its name says: its content is not application/pdf.'],
  ['big.pdf', `%PDF-${'x'.repeat(5 * 1024 * 1024)}`, 'is larger than 5242880 bytes.'],
  ['bomb.docx', docx('a'.repeat(20_000_000)), 'cannot be read: its text unpacks to more than 16 MiB.'],
])('refuses %s in a sentence', async (name, content, why) => {
  const box = await scene('anthropic', []);
  const file = box.write(name, content);
  const { code, stderr } = await box.ken(['q', '-a', name, 'What is this?']);
  expect({ code, first: stderr.split('\n')[0] }).toEqual({ code: 1, first: `ken: ${file} ${why}` });
  expect(box.server.requests).toEqual([]);
});

function docx(body: string): Buffer {
  const name = Buffer.from('word/document.xml');
  const packed = deflateRawSync(`<w:document><w:body>${body}</w:body></w:document>`);
  const [local, entry, end] = [Buffer.alloc(30), Buffer.alloc(46), Buffer.alloc(22)];
  local.writeUInt16LE(name.length, 26);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt16LE(name.length, 28);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + packed.length, 16);
  return Buffer.concat([local, name, packed, entry, name, end]);
}
