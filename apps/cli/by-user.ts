import { userInfo } from 'node:os';
import type { AuditedAction } from '#access';

/** An action of the command line, as the audit log stores it. */
export const byUser = (action: string, subject: string | null = null): AuditedAction => ({
  actor: `user ${userName()}`,
  address: null,
  action,
  subject,
});

/** In a container the user may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
