import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** The text must be neutralised already. */
export type Styler = (style: Style, text: string) => string;

export function styler(color: boolean): Styler {
  // Colour is decided already; styleText must not read the environment again.
  return (style, text) => (color && text !== '' ? styleText(style, text, { validateStream: false }) : text);
}
