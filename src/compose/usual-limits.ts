/** The limits of a workspace whose settings say nothing about them. */
export const USUAL_LIMITS = { memoryMib: 256, outputBytes: 262_144 };

export function hasUsualLimits(limits: typeof USUAL_LIMITS): boolean {
  return limits.memoryMib === USUAL_LIMITS.memoryMib && limits.outputBytes === USUAL_LIMITS.outputBytes;
}
