/** Runs before the first paint: sets the colours that the viewer has chosen. */
import { applyTheme } from './shell/theme';

// The base is relative to the address, which changes without a new page.
const base = document.querySelector('base');
if (base !== null) base.href = document.baseURI;
applyTheme();
