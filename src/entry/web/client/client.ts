/** Makes the page pleasant; everything works without it. */

import { installEvents } from './events.ts';
import { installKeys } from './keys.ts';
import { installBusy, installCopy, installLiveForms, installPreview, installSliders } from './live.ts';
import { installAsk, installTurn } from './turn.ts';

document.documentElement.classList.add('scripted');
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-submit]')) form.requestSubmit();
// On a narrow screen, the menu is a strip that scrolls.
document.querySelector('.rail [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
installKeys();
installLiveForms();
installCopy();
installSliders();
installEvents();
installTurn();
installAsk();
installPreview();
installBusy();
