/**
 * Sets the colors that the viewer has chosen. The page runs this script before the first paint, because other colors
 * would otherwise appear for a moment.
 */
import { applyTheme } from './shell/theme';

// The base element contains a URL that is relative to the address of the page. The console later changes the address
// without loading a page, so this URL must become absolute first.
const base = document.querySelector('base');
if (base !== null) base.href = document.baseURI;
applyTheme();
