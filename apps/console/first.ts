/** The page runs this script before the first paint, because otherwise the wrong colors would appear briefly. */
import { applyTheme } from './shell/theme';

// The URL in the base element is relative to the address of the page. The console later changes the address without
// loading a page, so the URL must become absolute first.
const base = document.querySelector('base');
if (base !== null) base.href = document.baseURI;
applyTheme();
