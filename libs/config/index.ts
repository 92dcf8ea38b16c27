export { showByteSize } from './byte-size';
export { tokenHeaders } from './command-line-token';
export { durationForm, readDuration, showDuration } from './duration';
export { blocklist } from './facts-blocklist';
export { FileContent } from './file-content';
export { hidePassword } from './hide-password';
export { isLoopback } from './is-loopback';
export { ownVersion } from './own-version';
export { readNamedFile } from './read-named-file';
export {
  environmentOf,
  type ReadSettings,
  readSettings,
  type SettingOrigin,
  type SettingSource,
} from './read-settings';
export { type SettingName, type Settings, settingTable } from './setting-table';
export { volatileFactsOf } from './volatile-facts';
export { fileKey, flagOf, tokenKey } from './sources';
export { readTraceSettings } from './trace-settings';
