import { ControlTables0001 } from './0001-control-tables';
import { LogPieces0002 } from './0002-log-pieces';
import { Sessions0003 } from './0003-sessions';
import { Subscriptions0004 } from './0004-subscriptions';

/** All migrations, in the order in which they run. A new migration needs a new file and a new entry in this list. */
export const migrations = [ControlTables0001, LogPieces0002, Sessions0003, Subscriptions0004];
