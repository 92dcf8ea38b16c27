/**
 * Returns a command's name with spaces from its spelling in a parameter (`replace_facts`, `replace facts`). Does not
 * change capitals.
 */
export const canonicalCommandName = (parameter: string): string => parameter.replaceAll('_', ' ');
