/** Returns the index after the string that begins at `start`. The text must be valid JSON. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text[first - 1] === '\\') first--;
    // An odd number of backslashes escapes the quote.
    if ((quote - first) % 2 === 0) return quote + 1;
  }
}

export function skipBlanks(text: string, start: number): number {
  let at = start;
  while (' \n\r\t'.includes(text[at] ?? '.')) at++;
  return at;
}
