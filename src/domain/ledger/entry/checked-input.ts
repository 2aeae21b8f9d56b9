import { Fault } from '../../../base/fault.ts';

/** Returns one of the choices, or undefined when nothing was given. */
export function checkedChoice<Choice extends string>(
  name: string,
  given: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  throw new Fault('ledger/invalid', `Invalid ${name} '${given}'. Expected ${choices.join('|')}`);
}

/** Longer ones make every search slow. */
const LONGEST_TEXT = 100_000;

/** Returns the text unchanged. Throws a Fault when it is empty, far too long, or cannot be stored. */
export function requireText(name: string, text: string): string {
  if (text.trim() === '') throw new Fault('ledger/invalid', `The ${name} must not be empty.`);
  if (text.length > LONGEST_TEXT)
    throw new Fault(
      'ledger/invalid',
      `The ${name} has ${text.length} characters; an entry has at most ${LONGEST_TEXT}.`,
      {
        hint: 'Keep it as a subject ("ken kb add"), or in several entries.',
      },
    );
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw new Fault('ledger/invalid', `The ${name} must be text: it has characters that cannot be stored.`);
}

/** Patterns of secrets. Every repetition is bounded or over one class, so that no text makes a pattern slow. */
const RULES = [
  { name: 'private-key', pattern: /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { name: 'aws-access-key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { name: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b/ },
  { name: 'gitlab-token', pattern: /\bglpat-[\w-]{20,}/ },
  { name: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/ },
  { name: 'slack-webhook', pattern: /hooks\.slack\.com\/services\/T\w{6,}\/B\w{6,}\/\w{16,}/ },
  { name: 'anthropic-key', pattern: /\bsk-ant-[\w-]{20,}/ },
  { name: 'openai-key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/ },
  { name: 'google-api-key', pattern: /\bAIza[\w-]{35}/ },
  { name: 'stripe-key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/ },
  { name: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { name: 'pypi-token', pattern: /\bpypi-AgEI[\w-]{40,}/ },
  { name: 'hugging-face-token', pattern: /\bhf_[A-Za-z0-9]{30,}\b/ },
  { name: 'sendgrid-key', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}\b/ },
  { name: 'azure-key', pattern: /\bAccountKey=[A-Za-z0-9+/]{80,90}={0,2}/ },
  { name: 'digitalocean-token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/ },
  { name: 'telegram-token', pattern: /\b\d{8,10}:AA[\w-]{33}\b/ },
  { name: 'json-web-token', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/ },
  { name: 'url-credentials', pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@[^\s/]/i },
];

export function secretIn(text: string): string | undefined {
  return RULES.find(({ pattern }) => pattern.test(text))?.name ?? assignedSecretIn(text);
}

/** A name that ends in password, secret, token or key, an assignment, and a value on the same line. */
const ASSIGNMENT =
  /\b[\w.-]{0,60}(?:passw(?:or)?d|passphrase|secret|secret_?access_?key|api_?key|access_?token|auth_?token)["']?[ \t]{0,3}(?::=|[:=])[ \t]{0,3}(["']?)([^\s"'`,;]{1,200})/gi;

/** Finds `AWS_SECRET_ACCESS_KEY=…` and `password = "…"` unless the value is a placeholder, a name or a call. */
function assignedSecretIn(text: string): string | undefined {
  for (const [, quote = '', value = ''] of text.matchAll(ASSIGNMENT))
    if (isSecretValue(value, quote !== '')) return 'assigned-secret';
  return undefined;
}

function isSecretValue(value: string, isQuoted: boolean): boolean {
  if (value.length < 6 || PLACEHOLDER.test(value)) return false;
  if (!isQuoted && !/^[\w+/=!@#%^&*~.-]+$/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return /\d/.test(value) && kinds >= 2 && !/^[\w-]+(?:\.[\w-]+)+$/.test(value) && !/^[\d.:]+$/.test(value);
}

const PLACEHOLDER =
  /^[<$%{[(]|\*{3}|\.{3}|…|x{4}|^(?:your|my|the|some|example|changeme|placeholder|dummy|null|none|true|false|process|os|env|config)\b|[_-](?:here|example|placeholder)$|[()[\]{}]/i;
