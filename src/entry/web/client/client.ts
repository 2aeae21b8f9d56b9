/** Makes the page pleasant; everything works without it. */

import { installKeys } from './keys.ts';
import {
  installAsk,
  installCopy,
  installEvents,
  installPreview,
  installSearch,
  installTurn,
} from './live.ts';

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-submit]')) form.requestSubmit();
installKeys();
installSearch();
installCopy();
installEvents();
installTurn();
installAsk();
installPreview();
