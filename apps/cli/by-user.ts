import { userInfo } from 'node:os';
import type { AuditedAction } from '#access';

/** Returns the audit entry of an action on the command line. */
export const byUser = (action: string, subject: string | null = null): AuditedAction => ({
  actor: `user ${userName()}`,
  address: null,
  action,
  subject,
});

/** In a container, the user may have only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
