import type { ReadSection } from './section.ts';

export const readTrust: ReadSection = async ({ settings: { trust, sources } }) => {
  const count = sources.reduce((sum, { definitions }) => sum + definitions.length, 0);
  const counted = `${count} definition${count === 1 ? '' : 's'}`;
  switch (trust) {
    case 'nothing':
      return undefined;
    case 'trusted':
      return { lines: [`${counted}, trusted`], data: { state: trust, definitions: count } };
    case 'untrusted':
      return {
        lines: [`${counted} left out: not trusted; run "ken trust"`],
        data: { state: trust, definitions: count },
      };
    case 'changed':
      return {
        lines: [`${counted} left out: changed since trusted; run "ken trust"`],
        data: { state: trust, definitions: count },
      };
  }
};
