/** A process that reads one document from standard input and prints its text as JSON. */

import { readFileSync, writeFileSync } from 'node:fs';
import { documentFormat } from '../../../base/text.ts';
import { extractText } from './extractors.ts';

const [, , name = ''] = process.argv;
const format = documentFormat(`.${name}`);
if (format) writeFileSync(1, JSON.stringify(await extractText(format, readFileSync(0))));
