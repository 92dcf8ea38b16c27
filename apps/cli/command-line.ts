import { Command } from 'commander';
import { ownVersion } from '#config';

/** A verb: its name, its summary in the help, and how to load it. Only the verb that runs is loaded, so help starts fast. */
interface Verb {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

const verbGroups: Readonly<Record<string, readonly Verb[]>> = {
  'Run the service:': [
    {
      name: 'start',
      summary: 'start the service',
      load: async () => (await import('./start.js')).startCommand(),
    },
    {
      name: 'demo',
      summary: 'start a service with a simulated fleet, to try queries',
      load: async () => (await import('./demo.js')).demoCommand(),
    },
    {
      name: 'config',
      summary: 'print the current settings, and where each comes from',
      load: async () => (await import('./config.js')).configCommand(),
    },
    {
      name: 'doctor',
      summary: 'check the installation: settings, database, log, disk, clocks, certificates, service',
      load: async () => (await import('./doctor.js')).doctorCommand(),
    },
    {
      name: 'ssl-setup',
      summary: "take certificate, key and CA for HTTPS from an agent's ssl directory",
      load: async () => (await import('./ssl-setup.js')).sslSetupCommand(),
    },
    {
      name: 'completion',
      summary: 'print a script that completes verbs and flags in bash, zsh or fish',
      load: async () => (await import('./completion.js')).completionCommand(() => commandLine(() => true)),
    },
  ],
  'Ask the service:': [
    {
      name: 'query',
      summary: 'ask the service a query (PQL or AST), and print a table, JSON or CSV',
      load: async () => (await import('./query.js')).queryCommand(),
    },
    {
      name: 'nodes',
      summary: 'list nodes: all, failed, changed or unreported ones',
      load: async () => (await import('./nodes.js')).nodesCommand(),
    },
    {
      name: 'facts',
      summary: 'show the facts of a node',
      load: async () => (await import('./facts.js')).factsCommand(),
    },
    {
      name: 'report',
      summary: 'show the last report of a node',
      load: async () => (await import('./report.js')).reportCommand(),
    },
    {
      name: 'status',
      summary: 'show whether the service is running, how many commands wait, and the current alerts',
      load: async () => (await import('./status.js')).statusCommand(),
    },
  ],
  'Submit to the service:': [
    {
      name: 'submit',
      summary: 'submit facts, a catalog or a report from a JSON file',
      load: async () => (await import('./submit.js')).submitCommand(),
    },
    {
      name: 'check',
      summary: 'show what is wrong with a document before it is sent',
      load: async () => (await import('./check.js')).checkCommand(),
    },
    {
      name: 'deactivate',
      summary: 'hide nodes until they send something again',
      load: async () => (await import('./deactivate.js')).deactivateCommand(),
    },
    {
      name: 'dead-letters',
      summary: 'list, show, retry and purge the commands that were rejected',
      load: async () => (await import('./dead-letters.js')).deadLettersCommand(),
    },
    {
      name: 'fleet',
      summary: 'submit the facts, catalogs and reports of a simulated fleet',
      load: async () => (await import('./fleet.js')).fleetCommand(),
    },
  ],
  'Archives and backups:': [
    {
      name: 'export',
      summary: 'write what the service knows to an archive, also as of an earlier position',
      load: async () => (await import('./export.js')).exportCommand(),
    },
    {
      name: 'import',
      summary: 'import an archive into a running service',
      load: async () => (await import('./import.js')).importCommand(),
    },
    {
      name: 'backup',
      summary: 'copy log and control state into a directory, while the service runs',
      load: async () => (await import('./backup.js')).backupCommand(),
    },
    {
      name: 'restore',
      summary: 'write a backup into an empty database',
      load: async () => (await import('./restore.js')).restoreCommand(),
    },
    {
      name: 'migrate',
      summary: 'take over the data or the configuration of a PuppetDB or OpenVoxDB',
      load: async () => (await import('./migrate.js')).migrateCommand(),
    },
  ],
  'Maintain the database and the log:': [
    {
      name: 'log',
      summary: 'show the state of the log, or copy it to Kafka',
      load: async () => (await import('./log.js')).logCommand(),
    },
    {
      name: 'rebuild',
      summary: 'rebuild the read tables from the log and switch to them, while the service runs',
      load: async () => (await import('./rebuild.js')).rebuildCommand(),
    },
    {
      name: 'snapshot',
      summary: 'shorten the log: remove old records that are no longer needed',
      load: async () => (await import('./snapshot.js')).snapshotCommand(),
    },
    {
      name: 'verify',
      summary: 'compare the read tables with the log',
      load: async () => (await import('./verify.js')).verifyCommand(),
    },
  ],
  'Access:': [
    {
      name: 'token',
      summary: 'create, list and revoke bearer tokens',
      load: async () => (await import('./token.js')).tokenCommand(),
    },
    {
      name: 'audit',
      summary: 'show who did what with the role admin or on the command line',
      load: async () => (await import('./audit.js')).auditCommand(),
    },
  ],
};

/** The command line. The verbs that are not wanted have their names and summaries only. */
export async function commandLine(isWanted: (verb: string) => boolean): Promise<Command> {
  const program = new Command('nodeledger').description('A store of what configuration servers know about machines');
  program.version(ownVersion());
  for (const [heading, verbs] of Object.entries(verbGroups)) {
    for (const verb of verbs) {
      const command = isWanted(verb.name) ? await verb.load() : new Command(verb.name).description(verb.summary);
      program.addCommand(command.helpGroup(heading));
    }
  }
  return program;
}
