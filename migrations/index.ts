import { ControlTables0001 } from './0001-control-tables';
import { Sessions0002 } from './0002-sessions';

/** All migrations, in the order in which they run. A new migration is a new file and a new line here. */
export const migrations = [ControlTables0001, Sessions0002];
