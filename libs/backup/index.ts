export { backUp, type BackupOutcome } from './back-up';
export { checkBackup } from './check-backup';
export { filesOf, readManifest, recordsOf, type Manifest } from './manifest';
export { checkedBackup, restore, type RestoreOutcome } from './restore';
