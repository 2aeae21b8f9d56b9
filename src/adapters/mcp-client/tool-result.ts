import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { isJsonObject, type Json } from '../../base/json.ts';
import { failure, success, type ToolResult } from '../../domain/tools/tool.ts';

export function toolResult(answer: CallToolResult, milliseconds: number): ToolResult {
  const structured = answer.structuredContent as Json | undefined;
  const shown = answer.content.map(blockText).filter((text) => text !== '');
  const text =
    shown.length === 0 && structured !== undefined ? JSON.stringify(structured, null, 2) : shown.join('\n');
  return {
    outcome: answer.isError ? failure(text || 'The tool failed and did not say why.') : success(text),
    receipt: { milliseconds, filesRead: [], filesWritten: [], stdoutBytes: 0, stderrBytes: 0 },
    ...(isJsonObject(structured) && { data: structured }),
  };
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `(${block.type}, ${block.mimeType}, ${decodedBytes(block.data)} bytes)`;
    case 'resource_link':
      return `(resource ${block.uri}${block.title ? `: ${block.title}` : ''})`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `(resource ${block.resource.uri}, ${decodedBytes(block.resource.blob)} bytes)`;
    default:
      return '(something that ken does not know how to show)';
  }
}

function decodedBytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}
