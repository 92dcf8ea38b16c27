/**
 * Does not parse the URL, because messages show invalid URLs, too. A password may contain `@`, so the password ends at
 * the last `@`.
 */
export function hidePassword(url: string): string {
  return url
    .replace(/^([^:/?#]*:\/\/[^:/?#@]*):.*@(?=[^@]*$)/s, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***');
}
