/**
 * A connection URL as it may be shown: passwords replaced, wherever they stand. By text, because it is also shown where it is
 * no URL; a password may hold an @ of its own, so that the last one before the path counts.
 */
export function hidePassword(url: string): string {
  return url
    .replace(/^([^:/?#]*:\/\/[^:/?#@]*):.*@(?=[^@]*$)/s, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***');
}
