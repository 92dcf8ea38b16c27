import { userInfo } from 'node:os';
import type { AuditedAction } from '#access';

export const byUser = (action: string, subject: string | null = null): AuditedAction => ({
  actor: `user ${userName()}`,
  address: null,
  action,
  subject,
});

/** Returns the user's name. Returns the number of the user if the user has no name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
