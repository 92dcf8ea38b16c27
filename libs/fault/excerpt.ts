/** Most characters that an error message quotes of what a client sent. */
export const longestExcerpt = 200;

/** The text as an error message may quote it: whole, or its beginning and how long it is. */
export function excerpt(text: string, most = longestExcerpt): string {
  if (text.length <= most) return text;
  // Half a surrogate pair could not be sent.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
