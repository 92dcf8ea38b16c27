import { callerName, callerOf, clientAddress, type FastifyRequest } from '#http';
import type { AuditedAction } from './audit-log';

export const auditedRequest = (request: FastifyRequest, action: string, subject: string | null): AuditedAction => ({
  actor: callerName(callerOf(request)) ?? 'anonymous',
  address: clientAddress(request),
  action,
  subject,
});
