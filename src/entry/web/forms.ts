/** Forms of the page, with or without files. */

import { Fault } from '../../base/fault.ts';
import { isFormToken, type SignIn } from './sign-ins.ts';

export interface SentFile {
  /** As the browser names it; no path. */
  readonly name: string;
  readonly content: Uint8Array;
}

export interface SentForm {
  readonly form: URLSearchParams;
  readonly files: readonly SentFile[];
}

export async function ownForm(request: Request): Promise<SentForm> {
  const isMultipart = request.headers.get('content-type')?.toLowerCase().startsWith('multipart/') ?? false;
  if (!isMultipart) return { form: new URLSearchParams(await request.text()), files: [] };
  const form = new URLSearchParams();
  const files: SentFile[] = [];
  for (const [name, value] of await formData(request)) {
    if (typeof value === 'string') form.append(name, value);
    // A field for files that was left empty is sent as one without a name.
    else if (value.name !== '') files.push({ name: plainName(value.name), content: await value.bytes() });
  }
  return { form, files };
}

async function formData(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (cause) {
    throw new Fault('net/refused', 'The form is not complete.', {
      hint: 'Go back and send it again.',
      cause,
    });
  }
}

const LONGEST_NAME = 200;

function plainName(name: string): string {
  return name.replace(/^.*[/\\]/, '').slice(-LONGEST_NAME) || 'file';
}

/** A Fault for a form without the token of its sign-in. */
export function checkedForm({ form }: Pick<SentForm, 'form'>, signIn: SignIn): void {
  if (isFormToken(form.get('form_token') ?? '', signIn)) return;
  throw new Fault('net/refused', 'This form is from before the last sign-in.', {
    hint: 'Go back, load the page again and repeat it.',
  });
}
