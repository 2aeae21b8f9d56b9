export interface PromptSettings {
  readonly system_prompt: string;
  readonly instructions: readonly string[];
  readonly sections: readonly PromptSection[];
}

export interface PromptSection {
  readonly title?: string | undefined;
  readonly tag?: string | undefined;
  readonly content: string;
  /** Lower ones come first; equal ones in the order of the configuration. */
  readonly position: number;
}

/** `knowledge` are finished blocks. The same input gives the same bytes. */
export function systemPrompt(settings: PromptSettings, knowledge: readonly (string | undefined)[]): string {
  const sections = settings.sections.toSorted((a, b) => a.position - b.position).map(sectionText);
  return [settings.system_prompt, instructionList(settings.instructions), ...sections, ...knowledge]
    .filter((block) => block !== undefined && block.trim() !== '')
    .join('\n\n');
}

function instructionList(instructions: readonly string[]): string | undefined {
  if (instructions.length === 0) return undefined;
  return `Instructions:\n\n${instructions.map((instruction) => `- ${instruction}`).join('\n')}`;
}

function sectionText({ title, tag, content }: PromptSection): string {
  if (!tag) return title ? `# ${title}\n\n${content}` : content;
  const opening = title ? `<${tag} title=${JSON.stringify(title)}>` : `<${tag}>`;
  return `${opening}\n${content}\n</${tag}>`;
}
