export { tokenHeaders } from './command-line-token';
export { blocklist } from './facts-blocklist';
export { hidePassword } from './hide-password';
export { isLoopback } from './is-loopback';
export { ownVersion } from './own-version';
export { readSettings, type ReadSettings, type SettingOrigin } from './read-settings';
export { settingTable, type SettingEntry } from './setting-table';
export { readTraceSettings, type TraceSettings } from './trace-settings';
export { type Dialect, type Edition, type LogLevel, type SaslMechanism, type SettingName, Settings } from './settings';
