import { Command } from 'commander';
import { ownVersion } from '#config';

interface Verb {
  readonly name: string;
  /** Appears in the help, in the completion scripts and in docs/command-line.md. */
  readonly summary: string;
  readonly page?: string;
  /** Only the verb that runs is loaded, so that the command line starts fast. */
  readonly load: () => Promise<Command>;
}

export const verbGroups: Readonly<Record<string, readonly Verb[]>> = {
  'Run the service:': [
    {
      name: 'start',
      summary: 'start the service, and run it until it gets SIGINT or SIGTERM',
      page: 'install.md',
      load: async () => (await import('./start.js')).startCommand(),
    },
    {
      name: 'config',
      summary: 'print the settings and the source of each setting',
      page: 'settings.md',
      load: async () => (await import('./config.js')).configCommand(),
    },
    {
      name: 'doctor',
      summary: 'check settings, database, log, disk, clocks, certificates and webhooks, and the running service',
      page: 'monitoring.md',
      load: async () => (await import('./doctor.js')).doctorCommand(),
    },
    {
      name: 'ssl-setup',
      summary: "copy certificate, key, CA and revocation lists for HTTPS from an agent's ssl directory",
      page: 'tls.md',
      load: async () => (await import('./ssl-setup.js')).sslSetupCommand(),
    },
    {
      name: 'completion',
      summary: 'print a script that completes verbs and flags in bash, zsh or fish',
      load: async () => (await import('./completion.js')).completionCommand(() => commandLine(() => true)),
    },
  ],
  'Query the service:': [
    {
      name: 'query',
      summary: 'send a query (PQL or AST) to the service, and print the rows as a table, JSON, NDJSON or CSV',
      page: 'query-guide.md',
      load: async () => (await import('./query.js')).queryCommand(),
    },
    {
      name: 'nodes',
      summary: 'list all, failed, changed or unreported nodes, with the outcome and time of their last report',
      load: async () => (await import('./nodes.js')).nodesCommand(),
    },
    {
      name: 'facts',
      summary: 'show all or some facts of a node',
      load: async () => (await import('./facts.js')).factsCommand(),
    },
    {
      name: 'report',
      summary: 'show the last report of a node: its events, warnings and errors',
      load: async () => (await import('./report.js')).reportCommand(),
    },
    {
      name: 'diff',
      summary: 'show the differences between two nodes, or between two moments of a node',
      page: 'changes.md',
      load: async () => (await import('./diff.js')).diffCommand(),
    },
    {
      name: 'timeline',
      summary: 'list the changes of a node or of all nodes, or the history of one value, resource or package',
      page: 'changes.md',
      load: async () => (await import('./timeline.js')).timelineCommand(),
    },
    {
      name: 'drift',
      summary: 'show the nodes that differ from most nodes of their group (nodes with the same value of a fact)',
      page: 'changes.md',
      load: async () => (await import('./drift.js')).driftCommand(),
    },
    {
      name: 'changes',
      summary: 'print the changes since a moment, and follow later changes',
      page: 'streams.md',
      load: async () => (await import('./changes.js')).changesCommand(),
    },
    {
      name: 'status',
      summary: 'show whether the service is running, how many commands wait, and the current alerts',
      page: 'monitoring.md',
      load: async () => (await import('./status.js')).statusCommand(),
    },
  ],
  'Changes:': [
    {
      name: 'subscriptions',
      summary: 'send changes to receivers (webhooks): add, list, pause, resume, replay and test subscriptions',
      page: 'webhooks.md',
      load: async () => (await import('./subscriptions.js')).subscriptionsCommand(),
    },
  ],
  'Submit to the service:': [
    {
      name: 'submit',
      summary: 'submit facts, a catalog, a report or catalog inputs from a JSON file',
      page: 'commands.md',
      load: async () => (await import('./submit.js')).submitCommand(),
    },
    {
      name: 'check',
      summary: 'list the errors in a document before you submit it',
      page: 'agent-reports.md',
      load: async () => (await import('./check.js')).checkCommand(),
    },
    {
      name: 'deactivate',
      summary: 'hide nodes from queries until they submit facts, a catalog or a report again',
      page: 'maintenance.md',
      load: async () => (await import('./deactivate.js')).deactivateCommand(),
    },
    {
      name: 'dead-letters',
      summary: 'list, show, retry and purge the commands that were rejected',
      page: 'dead-letters.md',
      load: async () => (await import('./dead-letters.js')).deadLettersCommand(),
    },
  ],
  'Archives and backups:': [
    {
      name: 'export',
      summary: 'write facts, catalogs, inputs, reports and node states to an archive, also as of an earlier time',
      page: 'archives.md',
      load: async () => (await import('./export.js')).exportCommand(),
    },
    {
      name: 'import',
      summary: 'import an archive of nodeledger, PuppetDB or OpenVoxDB into a running service',
      page: 'archives.md',
      load: async () => (await import('./import.js')).importCommand(),
    },
    {
      name: 'backup',
      summary: 'copy the log and the control tables into a directory, while the service runs',
      page: 'backup.md',
      load: async () => (await import('./backup.js')).backupCommand(),
    },
    {
      name: 'restore',
      summary: 'restore a backup into an empty database, or into an empty database and a new Kafka topic',
      page: 'backup.md',
      load: async () => (await import('./restore.js')).restoreCommand(),
    },
    {
      name: 'migrate',
      summary: 'copy the data (--from) or convert the configuration (--config) of a PuppetDB or OpenVoxDB',
      page: 'migrate.md',
      load: async () => (await import('./migrate.js')).migrateCommand(),
    },
  ],
  'Maintain the database and the log:': [
    {
      name: 'log',
      summary: 'show the state of the log, or copy it to Kafka',
      page: 'maintenance.md',
      load: async () => (await import('./log.js')).logCommand(),
    },
    {
      name: 'rebuild',
      summary: 'rebuild the read tables from the log and switch to them, while the service runs',
      page: 'maintenance.md',
      load: async () => (await import('./rebuild.js')).rebuildCommand(),
    },
    {
      name: 'snapshot',
      summary: 'shorten the log: remove old records that are no longer needed',
      page: 'maintenance.md',
      load: async () => (await import('./snapshot.js')).snapshotCommand(),
    },
    {
      name: 'verify',
      summary: 'compare the read tables with the log, and show each row that differs',
      page: 'maintenance.md',
      load: async () => (await import('./verify.js')).verifyCommand(),
    },
  ],
  'Access:': [
    {
      name: 'token',
      summary: 'create, list and revoke the bearer tokens of clients that have no certificate',
      page: 'authorization.md',
      load: async () => (await import('./token.js')).tokenCommand(),
    },
    {
      name: 'audit',
      summary: 'list the actions in the audit log, the latest first: actor, time, action and outcome',
      page: 'authorization.md',
      load: async () => (await import('./audit.js')).auditCommand(),
    },
  ],
};

/** Loads only the verbs that `isWanted` selects. The other verbs have only a name and a summary. */
export async function commandLine(isWanted: (verb: string) => boolean): Promise<Command> {
  const program = new Command('nodeledger').description('A store of what configuration servers know about machines');
  program.version(ownVersion());
  for (const [heading, verbs] of Object.entries(verbGroups)) {
    for (const { name, summary, load } of verbs) {
      const command = isWanted(name) ? await load() : new Command(name);
      program.addCommand(command.description(summary).helpGroup(heading));
    }
  }
  return program;
}
