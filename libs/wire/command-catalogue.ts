/** The versions of a command. */
interface CommandVersions {
  /** Older ones are refused on submission. */
  readonly minimum: number;
  /** Newer ones are accepted and then discarded, as nobody can read them. */
  readonly current: number;
}

/** Every command by its name, with spaces. */
export const commandCatalogue: ReadonlyMap<string, CommandVersions> = new Map([
  ['replace catalog', { minimum: 6, current: 9 }],
  ['replace facts', { minimum: 4, current: 5 }],
  ['store report', { minimum: 5, current: 8 }],
  ['deactivate node', { minimum: 3, current: 3 }],
  ['configure expiration', { minimum: 1, current: 1 }],
  ['replace catalog inputs', { minimum: 1, current: 1 }],
]);

/** A command's name as the parameter spells it (`replace_facts`, `replace facts`), with spaces. Capitals stay. */
export const canonicalCommandName = (parameter: string): string => parameter.replaceAll('_', ' ');
