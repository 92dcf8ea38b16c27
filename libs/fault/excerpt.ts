/** Limit of characters that an error message quotes from a client. */
export const longestExcerpt = 200;

/** Returns a text for an error message: whole, or its beginning and its length. */
export function excerpt(text: string, most = longestExcerpt): string {
  if (text.length <= most) return text;
  // An unpaired surrogate cannot be sent.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
