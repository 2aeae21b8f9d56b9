/**
 * Raised when files are cut into chunks or texts into terms in another way, or blocks are written in another way: an
 * index in another format is made again, never read.
 */
export const INDEX_FORMAT = '4';
