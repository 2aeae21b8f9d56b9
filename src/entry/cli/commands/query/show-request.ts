import { estimateTokens } from '../../../../base/text.ts';
import type { ModelMessage, ModelRequest } from '../../../../domain/turns/model/model.ts';
import type { Terminal } from '../../terminal.ts';

/** Prints for `--dry-run` exactly what would be sent, and its size in tokens. */
export function showRequest(terminal: Terminal, model: string, request: ModelRequest): void {
  const tokens = estimateTokens(JSON.stringify(request));
  if (terminal.json) {
    terminal.printJson({ model, request, estimated_tokens: tokens });
    return;
  }
  terminal.print(`# ${model}, about ${tokens} tokens\n\n## System\n\n${request.system}`);
  terminal.print(`\n## Tools\n`);
  for (const { name, description, parameters } of request.tools) {
    terminal.print(`### ${name}\n\n${description}\n\n${JSON.stringify(parameters)}\n`);
  }
  terminal.print('## Messages');
  for (const message of request.messages) terminal.print(`\n### ${message.role}\n\n${messageText(message)}`);
}

function messageText(message: ModelMessage): string {
  if (message.role === 'user') return message.text;
  if (message.role === 'tool')
    return message.results.map(({ name, text }) => `${name}: ${text}`).join('\n\n');
  return message.parts
    .map((part) => (part.type === 'tool-call' ? `${part.name} ${JSON.stringify(part.arguments)}` : part.text))
    .join('\n\n');
}
