import { ControlTables0001 } from './0001-control-tables';
import { LogPieces0002 } from './0002-log-pieces';
import { Sessions0003 } from './0003-sessions';
import { Subscriptions0004 } from './0004-subscriptions';

/** The migrations run in this order. */
export const migrations = [ControlTables0001, LogPieces0002, Sessions0003, Subscriptions0004];
