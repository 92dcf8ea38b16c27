export { Access } from './access';
export { type AuditedAction, type AuditEntry, AuditLog } from './audit/audit-log';
export { auditedRequest } from './audit/audited-request';
export { CertificateRoles, unknownRole } from './certificate-roles';
export { Gate } from './gate';
export { isRole, type Role, roles } from './role';
export { ruleOf, defaultRule } from './route-rules';
export { KnownTokens } from './tokens/known-tokens';
export { type Token, TokenTable } from './tokens/token-table';
