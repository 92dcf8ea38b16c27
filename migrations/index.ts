import { ControlTables0001 } from './0001-control-tables';
import { DeadLetterStates0002 } from './0002-dead-letter-states';
import { BasesAndScratch0003 } from './0003-bases-and-scratch';
import { LetterPayloads0004 } from './0004-letter-payloads';
import { Collection0005 } from './0005-collection';
import { Access0006 } from './0006-access';
import { VersionKeys0007 } from './0007-version-keys';
import { DeflatedPayloads0008 } from './0008-deflated-payloads';

/** Every migration, in the order in which they run. A new one is a new file and a new line here. */
export const migrations = [
  ControlTables0001,
  DeadLetterStates0002,
  BasesAndScratch0003,
  LetterPayloads0004,
  Collection0005,
  Access0006,
  VersionKeys0007,
  DeflatedPayloads0008,
];
