export { expiries } from './expiries';
export { checkIssued, readTlsFiles, type TlsFiles, type TlsMaterial } from './read-tls-files';
export { ServerTls } from './server-tls';
