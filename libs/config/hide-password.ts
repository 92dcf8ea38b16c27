/**
 * Replaces passwords in a connection URL. Works on the text, because an invalid URL must be shown, too. A password may
 * contain `@`, so the last one before the path counts.
 */
export function hidePassword(url: string): string {
  return url
    .replace(/^([^:/?#]*:\/\/[^:/?#@]*):.*@(?=[^@]*$)/s, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***');
}
