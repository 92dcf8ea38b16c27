/**
 * Replaces the password in a URL by `***`. Does not parse the URL, because messages also show URLs that are invalid. A
 * password can contain `@`, so the password ends at the last `@`.
 */
export function hidePassword(url: string): string {
  return url
    .replace(/^([^:/?#]*:\/\/[^:/?#@]*):.*@(?=[^@]*$)/s, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***');
}
