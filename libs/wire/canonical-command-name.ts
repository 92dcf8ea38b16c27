/**
 * Converts the spelling of a command in a URL parameter (`replace_facts` or `replace facts`) to its name with spaces.
 * Keeps capitals.
 */
export const canonicalCommandName = (parameter: string): string => parameter.replaceAll('_', ' ');
