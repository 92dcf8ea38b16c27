export { Allowlist } from './allowlist';
export { expiries } from './tls/expiries';
export { checkIssued, readTlsFiles, type TlsFiles, type TlsMaterial } from './tls/read-tls-files';
export { ServerTls } from './tls/server-tls';
