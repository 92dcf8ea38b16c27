/** Runs before the first paint, and sets the colors that the viewer has chosen. */
import { applyTheme } from './shell/theme';

// The base is relative to the address. The address changes without a new page, so the base is made absolute.
const base = document.querySelector('base');
if (base !== null) base.href = document.baseURI;
applyTheme();
