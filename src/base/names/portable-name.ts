/** Names of files that ken makes are kept in repositories, so every system that checks them out must be able to have them. */

/** Windows knows these as devices, whatever the extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;

/** A part of a sentence about the first segment that a system cannot have; undefined for a name that all can have. */
export function portabilityProblem(path: string): string | undefined {
  if (/^[A-Za-z]:/.test(path)) return 'it begins with a drive letter';
  for (const segment of path.split(/[/\\]/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no name may have.
    const sign = /[<>:"|?*\u0000-\u001f]/.exec(segment)?.[0];
    if (sign !== undefined) return `Windows cannot have ${JSON.stringify(sign)} in a name`;
    if (/[. ]$/.test(segment) && !/^\.{1,2}$/.test(segment))
      return 'Windows drops a dot or a blank at the end of a name';
    if (isDevice(segment)) return `"${segment}" is a device on Windows`;
  }
  return undefined;
}

/** Everything behind the first dot is no part of a device's name, nor are blanks before it. */
export function isDevice(segment: string): boolean {
  return DEVICE.test((segment.split('.', 1)[0] ?? '').trimEnd());
}
