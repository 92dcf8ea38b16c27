import { userInfo } from 'node:os';
import type { AuditedAction } from '#access';

/** Returns the audit entry for an action of the command line's user. */
export const byUser = (action: string, subject: string | null = null): AuditedAction => ({
  actor: `user ${userName()}`,
  address: null,
  action,
  subject,
});

/** Returns the name of the user. In a container, the user may have no name. Then returns the number of the user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
