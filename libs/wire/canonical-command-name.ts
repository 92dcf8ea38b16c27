/** Clients may write the name of a command in a URL as `replace_facts` or `replace facts`. */
export const canonicalCommandName = (parameter: string): string => parameter.replaceAll('_', ' ');
