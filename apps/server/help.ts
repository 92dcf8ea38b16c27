import { flagOf, ownVersion, settingTable } from '#config';

const rolesFlag = '  --roles ROLES    run only some parts of the service: write, project, read, separated by commas\n';

const introduction = (takesRoles: boolean): string => `nodeledger ${ownVersion()}
Starts the service and runs it until it gets SIGINT or SIGTERM.

  -h, --help       print this
  -V, --version    print the version
  --config FILE    read settings from this YAML file; default: nodeledger.yaml in the working directory, if it exists
${takesRoles ? rolesFlag : ''}  --SETTING VALUE  any of the settings below

Each setting is also read from an environment variable: --port 9090 is NODELEDGER_PORT=9090. docs/settings.md has all of them
as a table. "nodeledger config" prints the current settings and where each comes from.

Settings:
`;

/** What `--help` prints: how a program takes settings, and each setting with its default and meaning. */
export function helpText({ takesRoles }: { takesRoles: boolean }): string {
  const settings = settingTable.map(({ key, fallback, meaning }) => {
    const byDefault = fallback === undefined ? '' : ` (default: ${fallback})`;
    return `  ${flagOf(key)}${byDefault}\n      ${meaning}\n`;
  });
  return introduction(takesRoles) + settings.join('');
}
