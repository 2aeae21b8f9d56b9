/** Images and PDF files that are attached to a question: whether the model takes them, and what they cost. */

import { Fault } from '../../../base/fault.ts';
import { estimateTokens } from '../../../base/text.ts';
import type { UserMessage } from '../../conversations/event.ts';
import type { FileKind, Model, ModelMessage, ModelRequest } from './model.ts';

type Taking = Pick<Model, 'name' | 'takes'>;

const WORDS: Readonly<Record<FileKind, string>> = { image: 'images', pdf: 'PDF files' };

/** A Fault for an attached file that the model does not take, before anything is kept or sent. */
export function requireTaken(model: Taking, message: Pick<UserMessage, 'attachments'> | undefined): void {
  for (const { source, file } of message?.attachments ?? []) {
    if (!file || isTaken(model, file.media)) continue;
    throw new Fault('models/no-files', `${model.name} takes no ${WORDS[kindOf(file.media)]}: ${source}.`, {
      hint: 'Choose another model with -m, or attach the text of the file.',
    });
  }
}

/** Earlier files stay out of a request to a model that does not take them; the text still names them. */
export function withTakenFiles(model: Taking, request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message): ModelMessage => {
    if (message.role !== 'user' || !message.files) return message;
    const { files, ...rest } = message;
    const taken = files.filter(({ media }) => isTaken(model, media));
    return taken.length > 0 ? { ...rest, files: taken } : rest;
  });
  return { ...request, messages };
}

const IMAGE_TOKENS = 1_600;
/** A page of a PDF file has about 50 kB, and costs about 2,000 tokens. */
const PDF_BYTES_PER_TOKEN = 25;

/** An estimate; a file counts as providers charge for it, not by its characters. */
export function requestTokens(request: ModelRequest): number {
  const files = request.messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
  const costs = files.map(({ media, base64 }) =>
    kindOf(media) === 'pdf' ? Math.ceil((base64.length * 0.75) / PDF_BYTES_PER_TOKEN) : IMAGE_TOKENS,
  );
  const text = JSON.stringify(request, (key, value) => (key === 'base64' ? '' : value));
  return estimateTokens(text) + costs.reduce((sum, cost) => sum + cost, 0);
}

function isTaken({ takes = [] }: Taking, media: string): boolean {
  return takes.includes(kindOf(media));
}

function kindOf(media: string): FileKind {
  return media === 'application/pdf' ? 'pdf' : 'image';
}
