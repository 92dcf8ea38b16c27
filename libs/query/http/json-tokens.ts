/** The place behind the string that begins at `start`, in JSON text that is valid. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The next place that is no blank. */
export function skipBlanks(text: string, start: number): number {
  let at = start;
  while (' \n\r\t'.includes(text[at] ?? '.')) at++;
  return at;
}
