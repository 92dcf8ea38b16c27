import { commandCatalogue, lifecycleCommands } from '#wire';

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

/** Unknown commands share the labels `other` and `0`, because clients can send any number of names. */
export const knownCommand = (command: string, version: number): readonly [command: string, version: string] =>
  known.get(command)?.get(version) ?? otherCommand;

export const currentCommands: readonly (readonly [command: string, version: string])[] = [...commandCatalogue].map(
  ([command, { current }]) => knownCommand(command, current),
);
