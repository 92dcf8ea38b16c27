export const longestExcerpt = 200;

/** Shortens a long text to its beginning, and appends the length of the whole text. */
export function excerpt(text: string, most = longestExcerpt): string {
  if (text.length <= most) return text;
  // UTF-8 cannot represent an unpaired surrogate. So the text must not end with half of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
