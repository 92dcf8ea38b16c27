export { backUp, type BackupOptions, type BackupOutcome } from './back-up';
export { checkBackup, type CheckOptions } from './check-backup';
export { filesOf, readManifest, recordsOf, type Manifest } from './manifest';
export { checkedBackup, restore, type RestoreOutcome, type RestoreTarget } from './restore';
