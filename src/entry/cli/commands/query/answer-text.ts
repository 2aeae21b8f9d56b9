import type { Terminal } from '../../terminal.ts';

export interface AnswerText {
  write(text: string): void;
  /** Ends this text; later writes begin another one. */
  end(): void;
  /** Drops the text so far: the attempt failed and another one follows. */
  again(): void;
  /** Ends the output. A second call does nothing. */
  close(isWhole: boolean): void;
}

/** `waits`: prints whole texts only. */
export async function answerText(terminal: Terminal, { waits }: { waits: boolean }): Promise<AnswerText> {
  const printer = wholeCharacters(await textPrinter(terminal));
  // The text is on the screen already, and stays there.
  return waits ? heldText(printer) : { ...printer, again: printer.end, close: printer.end };
}

interface TextPrinter extends Pick<AnswerText, 'write' | 'end'> {}

async function textPrinter(terminal: Terminal): Promise<TextPrinter> {
  if (!terminal.markdown) return plainPrinter(terminal);
  const area = await terminal.live();
  if (!area) {
    const { markdownPrinter } = await import('../../render/markdown.ts');
    return markdownPrinter(terminal, (text) => terminal.writeStyled(text));
  }
  const { liveMarkdown } = await import('../../render/markdown-live.ts');
  return liveMarkdown(terminal, area);
}

/** Keeps back half a character, of which the other half comes with the next piece. */
function wholeCharacters(printer: TextPrinter): TextPrinter {
  let half = '';
  return {
    write(piece) {
      const text = `${half}${piece}`;
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
      const whole = text.slice(0, text.length - half.length);
      if (whole !== '') printer.write(whole);
    },
    end() {
      if (half !== '') printer.write(half);
      half = '';
      printer.end();
    },
  };
}

function plainPrinter(terminal: Terminal): TextPrinter {
  let last = '';
  let before = '';
  return {
    write(text) {
      if (text === '') return;
      terminal.write(`${before}${text}`);
      before = '';
      last = text;
    },
    end() {
      if (last === '') return;
      if (!last.endsWith('\n')) terminal.write('\n');
      last = '';
      before = '\n';
    },
  };
}

function heldText(printer: TextPrinter): AnswerText {
  const whole: string[] = [];
  let text = '';
  const end = () => {
    if (text !== '') whole.push(text);
    text = '';
  };
  return {
    write(more) {
      text += more;
    },
    end,
    again() {
      text = '';
    },
    close(isWhole) {
      end();
      for (const each of isWhole ? whole.splice(0) : []) {
        printer.write(each);
        printer.end();
      }
    },
  };
}
