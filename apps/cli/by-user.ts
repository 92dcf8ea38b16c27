import { userInfo } from 'node:os';
import type { AuditedAction } from '#access';

export const byUser = (action: string, subject: string | null = null): AuditedAction => ({
  actor: `user ${userName()}`,
  address: null,
  action,
  subject,
});

/** In a container, a user can have no name. Then returns the number of the user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
