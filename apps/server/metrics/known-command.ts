import { commandCatalogue, lifecycleCommands } from '#wire';

/** Command and version labels that all unknown commands share. */
const otherCommand = ['other', '0'] as const;

const known = new Map<string, Map<number, readonly [command: string, version: string]>>();
const add = (command: string, version: number): void => {
  const versions = known.get(command) ?? new Map<number, readonly [string, string]>();
  known.set(command, versions.set(version, [command, String(version)]));
};
for (const [command, { minimum, current }] of commandCatalogue) {
  for (let version = minimum; version <= current; version++) add(command, version);
}
for (const { command, version } of Object.values(lifecycleCommands)) add(command, version);

/**
 * Returns the labels of a command. Unknown commands share the labels `other` and `0`, because clients can send any
 * number of names.
 */
export const knownCommand = (command: string, version: number): readonly [command: string, version: string] =>
  known.get(command)?.get(version) ?? otherCommand;

/** Labels of the newest version of each command. */
export const currentCommands: readonly (readonly [command: string, version: string])[] = [...commandCatalogue].map(
  ([command, { current }]) => knownCommand(command, current),
);
