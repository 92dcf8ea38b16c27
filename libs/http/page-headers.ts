/**
 * With this policy, a browser loads all parts of a page from this service, runs no inline scripts, and does not show
 * the page in a frame.
 */
const policy: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

export const pageHeaders = (further: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'content-security-policy': Object.entries({ ...policy, ...further })
    .map(([name, value]) => `${name} ${value}`)
    .join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});
