/**
 * Sets the colors that the viewer has chosen. The page runs this script before the first paint, so that no other colors
 * appear.
 */
import { applyTheme } from './shell/theme';

// The base element is relative to the address of the page. The console later changes the address without loading a
// page, so the base must become absolute first.
const base = document.querySelector('base');
if (base !== null) base.href = document.baseURI;
applyTheme();
