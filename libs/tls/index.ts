export { commonName } from './certificate-names';
export { expiries, expiryAlertMs } from './expiries';
export { checkIssued, readTlsFiles, type TlsFiles, type TlsMaterial } from './read-tls-files';
export { ServerTls } from './server-tls';
