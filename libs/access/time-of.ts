/** Parses a time in PostgreSQL's UTC format. */
export const timeOf = (text: string): Date => new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z'));

export const timeOrNull = (text: string | null): Date | null => (text === null ? null : timeOf(text));
