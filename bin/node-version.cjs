// Which Node ken runs on. Plain JavaScript for any Node, which is to be told what ken needs.
'use strict';

/** The first release of each line whose SQLite gives back texts with a NUL whole, and guards its own tables. */
const FIRST_MINORS = { 24: 16, 25: Infinity, 26: 1 };

/** Undefined for a Node that ken runs on. */
exports.nodeProblem = function nodeProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  const first = FIRST_MINORS[major];
  if (first === undefined ? major > 26 : minor >= first) return undefined;
  return `ken needs Node 24.16 or newer, but neither 25 nor 26.0; this is ${version}.`;
};
