import { flagOf, ownVersion, type SettingName, settingTable } from '#config';

const componentsFlag =
  '  --components NAMES\n                   run only these components of the service: write, project, read, separated by commas\n';

const introduction = (takesComponents: boolean): string => `nodeledger ${ownVersion()}
Starts the service and runs it until it gets SIGINT or SIGTERM.

  -h, --help       print this
  -V, --version    print the version
  --config FILE    read settings from this YAML file; default: nodeledger.yaml in the working directory, if it exists
${takesComponents ? componentsFlag : ''}  --SETTING VALUE  any of the settings below

Each setting is also read from an environment variable: --port 9090 is NODELEDGER_PORT=9090. docs/settings.md has all of them
as a table. "nodeledger config" prints the current settings and the source of each setting.
`;

/** Each heading is printed above the setting that is its key. */
const groups: Partial<Record<SettingName, string>> = {
  host: 'Addresses and HTTPS',
  databaseUrl: 'Database',
  dialect: 'Names and fields in answers',
  logPartitions: 'Log and Kafka',
  checksum: 'Commands',
  nodeTtl: 'Age limits',
  authorization: 'Access',
  queryTimeout: 'Queries and connections to the database',
  logLevel: 'Log lines',
  commandBytes: 'Limits on what clients send (docs/limits.md)',
};

export function helpText({ takesComponents }: { takesComponents: boolean }): string {
  const settings = settingTable.map(({ name, key, fallback, meaning }) => {
    const group = groups[name];
    const byDefault = fallback === undefined ? '' : ` (default: ${fallback})`;
    return `${group === undefined ? '' : `\n${group}:\n`}  ${flagOf(key)}${byDefault}\n      ${meaning}\n`;
  });
  return introduction(takesComponents) + settings.join('');
}
